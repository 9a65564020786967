/* Functions of all sorts of names, for places.exp: it is compiled, never run.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

volatile int sink;

namespace ns
{
  struct Queue
  {
    int n;
    Queue ();
    void put (int v);
    void put (char c, int n);
    int size () const;
    bool operator< (const Queue &other);
    Queue &operator<< (int v);
    int operator() (int a);
    Queue operator+ (int a);
    struct Inner
    {
      void put (long v);
    };
  };

  Queue::Queue ()
  {
    sink = 1;
    n = 2;
  }

  void
  Queue::put (int v)
  {
    sink += v;
    sink = n;
  }

  void
  Queue::put (char c, int k)
  {
    for (int i = 0; i < k; i++)
      sink += c * k;
    sink = n;
  }

  int Queue::size () const { return n + sink; }
  bool Queue::operator< (const Queue &other) { return n < other.n; }

  Queue &
  Queue::operator<< (int v)
  {
    n = v;
    return *this;
  }

  int Queue::operator() (int a) { return n + a; }

  Queue
  Queue::operator+ (int a)
  {
    Queue q;
    q.n = n + a;
    return q;
  }

  void Queue::Inner::put (long v) { sink = v; }
  template <typename T> T biggest (T a, T b) { return a > b ? a : b; }

  template <typename T> struct Stack
  {
    T top;
    void push (T v) { top = v; sink = sizeof v; }
  };
}

void
put (int v)
{
  sink = v;
}

namespace
{
  __attribute__ ((noinline)) void hidden () { sink = 9; }
}

extern "C" void
_start ()
{
  ns::Queue a, b;
  ns::Queue::Inner inner;
  ns::Stack<int> s;
  ns::Stack<ns::Stack<int> > t;
  a.put (1);
  a.put ('c', 2);
  inner.put (3);
  put (4);
  sink = a < b;
  a << 2;
  sink = a (1);
  b = a + 1;
  s.push (2);
  t.push (s);
  sink = a.size () + ns::biggest (1, 2) + ns::biggest<char> ('a', 'b');
  hidden ();
  for (;;)
    ;
}
