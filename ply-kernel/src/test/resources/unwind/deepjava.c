// Native methods of DeepJava.
#include <jni.h>

__attribute__((noinline)) long leaf(long way, volatile long *count) { return *count += way; }

JNIEXPORT jlong JNICALL Java_dev_ply_kernel_DeepJava_leaf(JNIEnv *java, jclass type, jlong way) {
  (void)java, (void)type;
  volatile long count = 0;
  return leaf(way, &count) + count;
}

JNIEXPORT jlong JNICALL Java_dev_ply_kernel_DeepJava_back(JNIEnv *java, jclass type, jint n) {
  jmethodID method = (*java)->GetStaticMethodID(java, type, "down", "(I)J");
  return (*java)->CallStaticLongMethod(java, type, method, n);
}
