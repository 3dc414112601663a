struct parcel {
  int weight;
  unsigned char kind;
  struct parcel *next;
  char label[16];
};
