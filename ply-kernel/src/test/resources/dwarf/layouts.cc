// Compiled by g++ -gdwarf-5 -O0 -std=c++20 -shared -fPIC -nostdlib -Wl,-z,max-page-size=64 -ffile-prefix-map=$PWD=. -o layouts.so layouts.cc
struct fields { unsigned a : 3; unsigned : 7; unsigned b : 3; unsigned : 0; unsigned c : 3; };
struct spread { char c; int i __attribute__((packed)); short s __attribute__((aligned(8))); };
struct __attribute__((packed)) split { unsigned a : 5; unsigned long b : 40; };
struct empty {};
struct tail { tail() {} int i; char c; };
struct reused { [[no_unique_address]] empty none; [[no_unique_address]] tail first; char last; };
namespace one { struct item { int value; }; struct list { item *head; }; }
namespace two { struct item { char text[8]; int value; }; struct list { item *head; }; }
extern "C" int bits(fields *f, spread *s, split *p, reused *r) { return f->b + s->i + (int)p->b + r->last; }
extern "C" int lists(one::list *first, two::list *second) { return first->head->value + second->head->value; }
extern "C" int other(two::list *only) { return only->head->value; }
