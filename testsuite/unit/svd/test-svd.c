/* Device descriptions: names by address and addresses by name; what is wrong in them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "svd/svd.h"

/* The messages of an opening, joined.  */
static char said[4096];

static void
take (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  size_t length = strlen (said);
  snprintf (said + length, sizeof said - length, "%c %s\n", "nwe"[severity],
	    message);
}

static struct tb_svd *
open_bytes (const char *bytes, size_t length)
{
  char path[] = "/tmp/test-svd-XXXXXX";
  struct tb_diag diag = { .report = take };
  int file = mkstemp (path);
  said[0] = '\0';
  CHECK (file >= 0);
  FILE *out = fdopen (file, "wb");
  CHECK (out != NULL && fwrite (bytes, 1, length, out) == length);
  fclose (out);
  struct tb_svd *svd = tb_svd_open (path, &diag);
  remove (path);
  /* The name of the file is another one each time.  */
  for (char *at; (at = strstr (said, path)) != NULL;)
    memmove (at, at + strlen (path), strlen (at + strlen (path)) + 1);
  return svd;
}

static struct tb_svd *
open_text (const char *text)
{
  return open_bytes (text, strlen (text));
}

#define HEAD "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" \
  "<device schemaVersion=\"1.3\">\n<name>CHIP</name><width>32</width>" \
  "<size>32</size>\n<peripherals>\n"
#define TAIL "</peripherals></device>\n"

static const char chip[] = HEAD
  "<peripheral><name>GPIOA</name><description>Pins\n   of port A</description>"
  "<baseAddress>0x40020000</baseAddress>"
  "<addressBlock><offset>0</offset><size>0x400</size><usage>registers</usage>"
  "</addressBlock><interrupt><name>EXTI</name><value>3</value></interrupt><registers>"
  "<register><name>MODER</name><addressOffset>0</addressOffset><fields>"
  "<field><dim>16</dim><dimIncrement>2</dimIncrement><name>MODER%s</name>"
  "<bitRange>[1:0]</bitRange><enumeratedValues><name>MODE</name>"
  "<enumeratedValue><name>INPUT</name><value>0</value></enumeratedValue>"
  "<enumeratedValue><name>OUTPUT</name><value>#01</value></enumeratedValue>"
  "<enumeratedValue><name>SPECIAL</name><value>#1x</value></enumeratedValue>"
  "</enumeratedValues></field></fields></register>"
  "<register><name>IDR</name><addressOffset>0x10</addressOffset>"
  "<access>read-only</access></register>"
  "<register><name>ODR</name><addressOffset>0x14</addressOffset><fields>"
  "<field><name>ODR0</name><bitOffset>0</bitOffset></field>"
  "<field><name>ODR1</name><lsb>1</lsb><msb>1</msb></field>"
  "<field><name>HIGH</name><bitOffset>8</bitOffset><bitWidth>8</bitWidth></field>"
  "</fields></register>"
  "<register><name>BSRR</name><addressOffset>0x18</addressOffset>"
  "<access>write-only</access></register>"
  "<register><name>BSRRL</name><size>16</size><addressOffset>0x18</addressOffset>"
  "</register>"
  "</registers></peripheral>\n"
  "<peripheral derivedFrom=\"GPIOA\"><name>GPIOB</name>"
  "<baseAddress>0x40020400</baseAddress></peripheral>\n"
  "<peripheral><name>DMA</name><baseAddress>0x40026000</baseAddress>"
  "<size>8</size><access>read-write</access>"
  "<addressBlock><offset>0</offset><size>1K</size></addressBlock><registers>"
  "<cluster><dim>2</dim><dimIncrement>0x20</dimIncrement><name>CH[%s]</name>"
  "<addressOffset>0x8</addressOffset>"
  "<register><name>CFG</name><addressOffset>0</addressOffset><size>32</size>"
  "</register>"
  "<cluster><name>LINK</name><addressOffset>0x10</addressOffset>"
  "<register><name>NEXT</name><addressOffset>4</addressOffset></register></cluster>"
  "</cluster>"
  "<register derivedFrom=\"GPIOA.ODR\"><name>OUT</name>"
  "<addressOffset>0x80</addressOffset><size>32</size></register>"
  "<register><dim>3</dim><dimIncrement>4</dimIncrement><dimIndex>A,B,C</dimIndex>"
  "<name>PORT%s</name><addressOffset>0x90</addressOffset><size>32</size></register>"
  "</registers></peripheral>\n"
  "<peripheral><dim>2</dim><dimIncrement>0x100</dimIncrement><dimIndex>1-2</dimIndex>"
  "<name>TIM%s</name><baseAddress>1073807360</baseAddress>"
  "<addressBlock><offset>0x10</offset><size>0x10</size></addressBlock>"
  "</peripheral>\n" TAIL;

/* What lies at ADDRESS.  */
static const char *
name_at (const struct tb_svd *svd, uint64_t address, unsigned length, bool store)
{
  static char text[100];
  struct tb_buffer buffer = { 0 };
  if (!tb_svd_put_name (svd, &buffer, address, length, store))
    {
      CHECK_INT (buffer.size, 0);
      return "nothing";
    }
  snprintf (text, sizeof text, "%.*s", (int) buffer.size, (char *) buffer.data);
  tb_buffer_fini (&buffer);
  return text;
}

static const char *
fields_of (const struct tb_svd *svd, const char *name, uint64_t bits, uint64_t mask)
{
  static char text[400];
  struct tb_buffer buffer = { 0 };
  struct tb_svd_found found;
  if (!tb_svd_find (svd, name, strlen (name), &found) || found.reg == NULL)
    return "nothing";
  tb_svd_put_fields (found.reg, &buffer, bits, mask);
  snprintf (text, sizeof text, "%.*s", (int) buffer.size, (char *) buffer.data);
  tb_buffer_fini (&buffer);
  return text;
}

/* The address that NAME means, and its field's bits.  */
static const char *
find (const struct tb_svd *svd, const char *name)
{
  static char text[100];
  struct tb_svd_found f;
  if (!tb_svd_find (svd, name, strlen (name), &f))
    return "nothing";
  int n = snprintf (text, sizeof text, "%llx",
		    (unsigned long long) (f.reg != NULL ? f.reg->address
					  : f.peripheral->address));
  if (f.field != NULL)
    snprintf (text + n, sizeof text - (size_t) n, " %u+%u", f.field->lsb,
	      f.field->width);
  return text;
}

static void
test_names (void)
{
  struct tb_svd *svd = open_text (chip);
  size_t count;
  CHECK (svd != NULL);
  CHECK_STR (said, "");
  CHECK_STR (tb_svd_device (svd), "CHIP");
  const struct tb_svd_peripheral *p = tb_svd_peripherals (svd, &count);
  CHECK_INT (count, 5);
  CHECK_STR (p[0].description, "Pins of port A");
  CHECK_STR (p[1].description, "Pins of port A");
  CHECK_INT (p[1].nblocks, 1);
  CHECK_INT (p[1].blocks[0].address, 0x40020400);
  CHECK_STR (p[4].name, "TIM2");
  CHECK_INT (p[4].blocks[0].address, 0x40010110);

  CHECK_STR (name_at (svd, 0x40020014, 4, true), "GPIOA.ODR");
  CHECK_STR (name_at (svd, 0x40020016, 2, true), "GPIOA.ODR+0x2");
  CHECK_STR (name_at (svd, 0x40020414, 4, true), "GPIOB.ODR");
  CHECK_STR (name_at (svd, 0x40020020, 4, true), "GPIOA+0x20");
  CHECK_STR (name_at (svd, 0x40020018, 4, true), "GPIOA.BSRR");
  CHECK_STR (name_at (svd, 0x40020018, 2, true), "GPIOA.BSRRL");
  CHECK_STR (name_at (svd, 0x40026008, 4, true), "DMA.CH[0].CFG");
  CHECK_STR (name_at (svd, 0x4002603c, 1, false), "DMA.CH[1].LINK.NEXT");
  CHECK_STR (name_at (svd, 0x4002603d, 1, false), "DMA+0x3d");
  CHECK_STR (name_at (svd, 0x40026098, 4, false), "DMA.PORTC");
  CHECK_STR (name_at (svd, 0x40010118, 4, false), "TIM2+0x18");
  CHECK_STR (name_at (svd, 0x40010108, 4, false), "nothing");
  CHECK_STR (name_at (svd, 0x4001ffff, 1, false), "nothing");
  CHECK_STR (name_at (svd, UINT64_MAX, 4, false), "nothing");
  CHECK_STR (name_at (svd, 0, 4, false), "nothing");

  CHECK_STR (find (svd, "GPIOB"), "40020400");
  CHECK_STR (find (svd, "GPIOB.ODR"), "40020414");
  CHECK_STR (find (svd, "GPIOB.ODR.HIGH"), "40020414 8+8");
  CHECK_STR (find (svd, "GPIOA.MODER.MODER15"), "40020000 30+2");
  CHECK_STR (find (svd, "DMA.CH[1].LINK.NEXT"), "4002603c");
  CHECK_STR (find (svd, "DMA.OUT.ODR1"), "40026080 1+1");
  CHECK_STR (find (svd, "DMA.CH[2].CFG"), "nothing");
  CHECK_STR (find (svd, "GPIOB.OD"), "nothing");
  CHECK_STR (find (svd, "GPIO"), "nothing");
  CHECK_STR (find (svd, "GPIOB."), "nothing");
  CHECK_STR (find (svd, "GPIOB.ODR."), "nothing");
  tb_svd_close (svd);
}

static void
test_values (void)
{
  struct tb_svd *svd = open_text (chip);
  CHECK (svd != NULL);
  CHECK_STR (fields_of (svd, "GPIOA.ODR", 0x1201, UINT32_MAX),
	     "HIGH=0x12,ODR1=0,ODR0=1");
  CHECK_STR (fields_of (svd, "GPIOA.ODR", 0x1201, 0xff01), "HIGH=0x12,ODR0=1");
  CHECK_STR (fields_of (svd, "GPIOA.ODR", 0x10004, UINT32_MAX),
	     "HIGH=0,ODR1=0,ODR0=0,other=0x10004");
  CHECK_STR (fields_of (svd, "GPIOA.MODER", 0x1b, 0xff),
	     "MODER3=INPUT,MODER2=OUTPUT,MODER1=SPECIAL,MODER0=SPECIAL");
  CHECK_STR (fields_of (svd, "GPIOA.IDR", 0x1b, UINT32_MAX), "");
  tb_svd_close (svd);
}

#define PERIPHERAL(inside) \
  "<peripheral><name>P</name><baseAddress>0x1000</baseAddress>" inside \
  "</peripheral>"
#define REGISTERS(inside) \
  PERIPHERAL ("<addressBlock><offset>0</offset><size>0x100</size></addressBlock>" \
	      "<registers>" inside "</registers>")
#define REGISTER(name, offset, inside) \
  "<register><name>" name "</name><addressOffset>" offset "</addressOffset>" inside \
  "</register>"

/* What is wrong costs the element that it is in, and is told with its line.  */
static void
test_wrong (void)
{
  static const struct
  {
    const char *inside, *said, *at_1004;
  } cases[] = {
    { REGISTERS (REGISTER ("A", "zero", "") "\n" REGISTER ("B", "4", "")),
      "w :5: <addressOffset>: expected a number, found 'zero'; it is not taken\n"
      "w :5: <register> A: expected <name> and <addressOffset>; it is left out\n",
      "P.B" },
    { REGISTERS (REGISTER ("B", "4", "<size>65</size>")),
      "w :5: <register> B: expected a size of 1 to 64 bits, found 65; it is left "
      "out\n", "P+0x4" },
    { REGISTERS (REGISTER ("B", "4", "<access>any</access>")),
      "w :5: <access>: expected read-only, write-only, read-write, writeOnce or "
      "read-writeOnce, found 'any'; it is not taken\n", "P.B" },
    { REGISTERS (REGISTER ("B", "4", "<dim>99999999999999999999</dim>")),
      "w :5: <dim>: expected a number, found '99999999999999999999'; it is not "
      "taken\n", "P.B" },
    { REGISTERS (REGISTER ("B", "4", "<dim>0</dim>")),
      "w :5: <register> B: <dim>: expected 1 to 1048576 elements that have room, "
      "found 0; it is left out\n", "P+0x4" },
    { REGISTERS (REGISTER ("B", "4", "<fields><field><name>F</name>"
			   "<bitRange>[40:3]</bitRange></field></fields>")),
      "w :5: <field> F: expected <name> and bits of the register's 32; it is left "
      "out\n", "P.B" },
    { REGISTERS ("<register derivedFrom=\"C\"><name>B</name>"
		 "<addressOffset>4</addressOffset></register>\n"
		 "<register derivedFrom=\"B\"><name>C</name>"
		 "<addressOffset>4</addressOffset></register>"),
      "w :6: <register> C: derivedFrom: 'B' leads to itself, to what is left out, "
      "or over more than 32 others; it is left out\n"
      "w :5: <register> B: derivedFrom: 'C' leads to itself, to what is left out, "
      "or over more than 32 others; it is left out\n", "P+0x4" },
    { REGISTERS ("<cluster><name>C</name><addressOffset>4</addressOffset>\n"
		 "<cluster derivedFrom=\"C\"><name>B</name>"
		 "<addressOffset>4</addressOffset></cluster>" REGISTER ("D", "0", "")
		 "</cluster>"),
      "w :6: <cluster> B: derivedFrom: 'C' leads to itself, to what is left out, "
      "or over more than 32 others; it is left out\n", "P.C.D" },
    { REGISTERS ("<register derivedFrom=\"P\"><name>B</name>"
		 "<addressOffset>4</addressOffset></register>"),
      "w :5: <register> B: derivedFrom: expected the name of another <register>, "
      "found 'P'; it is left out\n", "P+0x4" },
    { PERIPHERAL ("<addressBlock><offset>0xfffffffffffffff0</offset>"
		  "<size>1</size></addressBlock><registers>"
		  REGISTER ("B", "4", "") "</registers>"),
      "w :5: <addressBlock>: expected an offset and a size of at least 1 that fit "
      "behind the base address 0x1000; it is left out\n", "P.B" },
    { "<peripheral><name>Q</name></peripheral>" REGISTERS (REGISTER ("B", "4", "")),
      "w :5: <peripheral> Q: expected <name> and <baseAddress>; it is left out\n",
      "P.B" },
    /* Too few or too many indices; numbers call no two by one name.  */
    { REGISTERS ("<register><dim>3</dim><dimIncrement>4</dimIncrement>"
		 "<dimIndex>2,1</dimIndex><name>A%s</name>"
		 "<addressOffset>0</addressOffset></register>"),
      "w :5: <register> A%s: <dimIndex>: expected as many indices as <dim> says, 3, of "
      "at most 31 characters, found '2,1'; 0, 1, ... are taken\n", "P.A1" },
    { REGISTERS ("<register><dim>2</dim><dimIncrement>4</dimIncrement>"
		 "<dimIndex>C-F</dimIndex><name>A%s</name>"
		 "<addressOffset>0</addressOffset></register>"),
      "w :5: <register> A%s: <dimIndex>: expected as many indices as <dim> says, 2, of "
      "at most 31 characters, found 'C-F'; 0, 1, ... are taken\n", "P.A1" },
    { REGISTERS ("<cluster><dim>2</dim><dimIncrement>4</dimIncrement><name>C%s</name>"
		 "<addressOffset>0</addressOffset>"
		 "<register><dim>1</dim><dimIndex>3-4</dimIndex><name>A%s</name>"
		 "<addressOffset>0</addressOffset></register></cluster>"),
      "w :5: <register> A%s: <dimIndex>: expected as many indices as <dim> says, 1, of "
      "at most 31 characters, found '3-4'; 0, 1, ... are taken\n", "P.C1.A0" },
    { REGISTERS ("<register><dim>2</dim><dimIncrement>4</dimIncrement>"
		 "<dimIndex>C - D</dimIndex><name>A%s</name>"
		 "<addressOffset>0</addressOffset></register>"),
      "w :5: <register> A%s: <dimIndex>: expected as many indices as <dim> says, 2, of "
      "at most 31 characters, found 'C - D'; 0, 1, ... are taken\n", "P.A1" },
    { REGISTERS ("<register><dim>3</dim><dimIncrement>4</dimIncrement>"
		 "<dimIndex>TX , RX,CTL</dimIndex><name>A%s</name>"
		 "<addressOffset>0</addressOffset></register>"), "", "P.ARX" },
    { REGISTERS ("<register><dim>2</dim><dimIncrement>4</dimIncrement>"
		 "<dimIndex>Y-Z</dimIndex><name>A%s</name>"
		 "<addressOffset>0</addressOffset></register>"), "", "P.AZ" },
    { "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"more.xml\"/>"
      REGISTERS (REGISTER ("B", "4", "")),
      "w :5: <xi:include>: expected all in one file; what it includes is not read\n",
      "P.B" },
    /* A name that was there before; an address that the core does not have.  */
    { REGISTERS (REGISTER ("A", "0", "")) "\n" PERIPHERAL ("<registers>"
      REGISTER ("B", "4", "") "</registers>"),
      "w :6: <peripheral> P: there is another one of this name before it; the name means "
      "that one\n", "P.B" },
    { REGISTERS (REGISTER ("B", "4", "") "\n" REGISTER ("C", "0xffffffff", "")),
      "w :6: <register> C: expected an address of at most 32 bits; it is left out\n",
      "P.B" },
    { REGISTERS ("<register><dim>3</dim><dimIncrement>0x80000000</dimIncrement><name>B%s</name>"
		 "<addressOffset>4</addressOffset></register>"),
      "w :5: <register> B2: expected an address of at most 32 bits; it is left out\n",
      "P.B0" },
    /* Elements that are not known, and text where elements belong.  */
    { REGISTERS ("<other><register><name>A</name></register></other> text"
		 REGISTER ("B", "4", "<name2>x</name2>")), "", "P.B" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      char text[2000];
      snprintf (text, sizeof text, HEAD "%s" TAIL, cases[i].inside);
      struct tb_svd *svd = open_text (text);
      CHECK (svd != NULL);
      /* Lines are counted from HEAD's.  */
      char want[sizeof said];
      snprintf (want, sizeof want, "%s", cases[i].said);
      CHECK_STR (said, want);
      CHECK_STR (name_at (svd, 0x1004, 4, true), cases[i].at_1004);
      tb_svd_close (svd);
    }
}

#define VALUE(name, inside) \
  "<enumeratedValue><name>" name "</name>" inside "</enumeratedValue>"
#define FIELD(inside) "<field><name>F</name>" inside "</field>"
#define NOT_OF_32 "w :5: <field> F: expected <name> and bits of the register's 32; it is left out\n"

/* Which bits a field has, and how its values are called.  */
/* What three registers are called by <dimIndex>: that of the second, and whether indices are
   warned of.  */
static void
test_indices (void)
{
  static const struct
  {
    const char *pattern, *index, *second;
    bool warns;
  } cases[] = {
    { "R%s", "0-2", "P.R1", false }, { "R%s", "5-7", "P.R6", false },
    { "R%s", "0x10-0x12", "P.R17", false }, { "R%s", "A-C", "P.RB", false },
    { "R%s", "X-Z", "P.RY", false }, { "%sR", "A-C", "P.BR", false },
    { "R%sT", "x, y ,z", "P.RyT", false }, { "R%s", " x,y,z ", "P.Ry", false },
    { "R%s", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,b,c", "P.Rb", false },
    { "R[%s]", "A-C", "P.R[1]", false }, { "R", "A-C", "P.RB", false },
    /* Others than there are registers.  */
    { "R%s", "0-3", "P.R1", true }, { "R%s", "0-1", "P.R1", true },
    { "R%s", "2-0", "P.R1", true }, { "R%s", "A-D", "P.R1", true },
    { "R%s", "C-A", "P.R1", true }, { "R%s", "a,b", "P.R1", true },
    { "R%s", "a,b,c,d", "P.R1", true },
    /* No indices.  */
    { "R%s", "a-c", "P.R1", true }, { "R%s", "A-c", "P.R1", true },
    { "R%s", "A-CC", "P.R1", true }, { "R%s", "AA-C", "P.R1", true },
    { "R%s", "-2", "P.R1", true }, { "R%s", "0-", "P.R1", true },
    { "R%s", "a,,c", "P.R1", true }, { "R%s", ",b,c", "P.R1", true },
    { "R%s", "a b,c,d", "P.R1", true }, { "R%s", "[-]", "P.R1", true },
    { "R%s", "a,b,c-d", "P.R1", true },
    { "R%s", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,b,c", "P.R1", true },
    { "R%s", "00000000000000000000000000000000-2", "P.R1", true }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      char text[2000];
      snprintf (text, sizeof text, HEAD REGISTERS (
		  "<register><dim>3</dim><dimIncrement>4</dimIncrement>"
		  "<dimIndex>%s</dimIndex><name>%s</name><addressOffset>0</addressOffset>"
		  "</register>") TAIL, cases[i].index, cases[i].pattern);
      struct tb_svd *svd = open_text (text);
      if (!CHECK (svd != NULL))
	continue;
      bool good = CHECK_STR (name_at (svd, 0x1004, 4, false), cases[i].second);
      good &= CHECK_INT (strstr (said, "expected as many indices") != NULL, cases[i].warns);
      if (!good)
	fprintf (stderr, "  '%s' for '%s': %s\n", cases[i].index, cases[i].pattern, said);
      tb_svd_close (svd);
    }
}

/* The bits of a field in their different forms; "nothing": it is left out.  */
static void
test_bits (void)
{
  static const struct { const char *inside, *bits; } cases[] = {
    { "<bitOffset>3</bitOffset>", "1000 3+1" },
    { "<bitOffset>3</bitOffset><bitWidth>4</bitWidth>", "1000 3+4" },
    { "<bitOffset>28</bitOffset><bitWidth>4</bitWidth>", "1000 28+4" },
    { "<bitOffset>29</bitOffset><bitWidth>4</bitWidth>", "nothing" },
    { "<bitOffset>32</bitOffset>", "nothing" },
    { "<bitOffset>3</bitOffset><bitWidth>0</bitWidth>", "nothing" },
    { "<lsb>3</lsb><msb>6</msb>", "1000 3+4" }, { "<lsb>3</lsb><msb>3</msb>", "1000 3+1" },
    { "<lsb>3</lsb><msb>2</msb>", "nothing" }, { "<lsb>3</lsb><msb>64</msb>", "nothing" },
    { "<lsb>0</lsb><msb>31</msb>", "1000 0+32" }, { "<msb>31</msb>", "nothing" },
    { "<bitRange>[6:3]</bitRange>", "1000 3+4" }, { "<bitRange>[3]</bitRange>", "nothing" },
    { "<bitRange>[3:6]</bitRange>", "nothing" }, { "", "nothing" },
    { "<dim>3</dim><dimIncrement>8</dimIncrement><bitOffset>3</bitOffset>", "nothing" },
    { "<dim>33</dim><dimIncrement>0</dimIncrement><bitOffset>3</bitOffset>", "nothing" },
    { "<dim>2</dim><dimIncrement>33</dimIncrement><bitOffset>0</bitOffset>", "nothing" },
    { "<dim>2</dim><dimIncrement>28</dimIncrement><bitOffset>4</bitOffset>", "nothing" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      char text[2000];
      snprintf (text, sizeof text, HEAD REGISTERS (
		  REGISTER ("R", "0", "<fields><field><name>F</name>%s</field></fields>"))
		TAIL, cases[i].inside);
      struct tb_svd *svd = open_text (text);
      if (CHECK (svd != NULL) && !CHECK_STR (find (svd, "P.R.F"), cases[i].bits))
	fprintf (stderr, "  %s: %s\n", cases[i].inside, said);
      tb_svd_close (svd);
    }
}

static void
test_fields (void)
{
  static const struct
  {
    const char *inside, *said;
    uint64_t bits;
    const char *fields;
  } cases[] = {
    { FIELD ("<bitRange>[31:28]</bitRange>"), "", 0x90000000, "F=9" },
    { FIELD ("<bitRange>[31:28]</bitRange>"), "", 0xa0000000, "F=0xa" },
    { FIELD ("<lsb>4</lsb>"), "", 0x30, "F=1,other=0x20" },
    { FIELD ("<lsb>4</lsb><msb>3</msb>"), NOT_OF_32, 0x30, "" },
    { FIELD ("<lsb>4</lsb><msb>64</msb>"), NOT_OF_32, 0x30, "" },
    { FIELD ("<bitOffset>31</bitOffset><bitWidth>2</bitWidth>"), NOT_OF_32, 0, "" },
    { FIELD ("<bitOffset>32</bitOffset><bitWidth>1</bitWidth>"), NOT_OF_32, 0, "" },
    { FIELD ("<bitOffset>3</bitOffset><bitWidth>0</bitWidth>"), NOT_OF_32, 0, "" },
    { FIELD ("<bitRange>[2]</bitRange>"),
      "w :5: <bitRange>: expected [MSB:LSB], found '[2]'; it is not taken\n" NOT_OF_32, 4, "" },
    { FIELD ("<bitRange>[x:2]</bitRange>"),
      "w :5: <bitRange>: expected [MSB:LSB], found '[x:2]'; it is not taken\n" NOT_OF_32, 4, "" },
    { FIELD ("<bitRange>[3:]</bitRange>"),
      "w :5: <bitRange>: expected [MSB:LSB], found '[3:]'; it is not taken\n" NOT_OF_32, 4, "" },
    { FIELD ("<bitRange>3:1]</bitRange>"),
      "w :5: <bitRange>: expected [MSB:LSB], found '3:1]'; it is not taken\n" NOT_OF_32, 4, "" },
    { FIELD ("<bitRange>[0000000000000000000000000003:1]</bitRange>"),
      "w :5: <bitRange>: expected [MSB:LSB], found '[0000000000000000000000000003:1]'; it is not "
      "taken\n" NOT_OF_32, 4, "" },
    /* Of several the last bit of all must be there.  */
    { "<field><dim>4</dim><dimIncrement>8</dimIncrement><name>F%s</name><bitOffset>0</bitOffset>"
      "<bitWidth>8</bitWidth></field>", "", 0x04030201, "F3=4,F2=3,F1=2,F0=1" },
    { "<field><dim>4</dim><dimIncrement>8</dimIncrement><name>F%s</name><bitOffset>1</bitOffset>"
      "<bitWidth>8</bitWidth></field>",
      "w :5: <field> F%s: expected <name> and bits of the register's 32; it is left out\n",
      1, "" },
    /* Values: named, by masks, and all others.  */
    { FIELD ("<bitRange>[1:0]</bitRange><enumeratedValues>" VALUE ("OFF", "<value>0</value>")
	     VALUE ("REST", "<isDefault>true</isDefault>") VALUE ("TWO", "<value>2</value>")
	     "</enumeratedValues>"), "", 2, "F=TWO" },
    { FIELD ("<bitRange>[1:0]</bitRange><enumeratedValues>" VALUE ("OFF", "<value>0</value>")
	     VALUE ("REST", "<isDefault>1</isDefault>") "</enumeratedValues>"), "", 3, "F=REST" },
    { FIELD ("<bitRange>[1:0]</bitRange><enumeratedValues>"
	     VALUE ("OFF", "<isDefault>false</isDefault><value>0</value>")
	     "</enumeratedValues>"), "", 3, "F=3" },
    { FIELD ("<bitRange>[1:0]</bitRange><enumeratedValues>"
	     VALUE ("OFF", "<isDefault>perhaps</isDefault><value>0</value>")
	     "</enumeratedValues>"),
      "w :5: <isDefault>: expected true or false, found 'perhaps'; it is not taken\n", 0,
      "F=OFF" },
    { FIELD ("<bitRange>[1:0]</bitRange><enumeratedValues>" VALUE ("OFF", "<value>#2</value>")
	     "</enumeratedValues>"),
      "w :5: <value>: expected a number, found '#2'; it is not taken\n", 0, "F=0" },
    /* The values of another field.  */
    { "<field><name>G</name><bitRange>[7:6]</bitRange><enumeratedValues><name>E</name>"
      VALUE ("ONE", "<value>1</value>") "</enumeratedValues></field>"
      FIELD ("<bitRange>[1:0]</bitRange><enumeratedValues derivedFrom=\"G.E\">"
	     "</enumeratedValues>"), "", 0x41, "G=ONE,F=ONE" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      char text[2000];
      snprintf (text, sizeof text, HEAD REGISTERS (REGISTER ("B", "4", "<fields>%s</fields>"))
		TAIL, cases[i].inside);
      struct tb_svd *svd = open_text (text);
      CHECK (svd != NULL);
      CHECK_STR (said, cases[i].said);
      if (!CHECK_STR (fields_of (svd, "P.B", cases[i].bits, UINT32_MAX), cases[i].fields))
	fprintf (stderr, "  case %zu\n", i);
      tb_svd_close (svd);
    }
}

/* What an access has of a register that it does not fit.  */
static void
test_parts (void)
{
  static const struct
  {
    uint64_t address;
    unsigned length;
    uint64_t value;
    const char *bytes, *fields;	/* BYTES "": it is all; NULL: there is no part.  */
  } cases[] = {
    { 0x40020014, 4, 0x12345603, "", "HIGH=0x56,ODR1=1,ODR0=1,other=0x12340000" },
    { 0x40020014, 1, 0x03, "byte 0", "ODR1=1,ODR0=1" },
    { 0x40020014, 2, 0x5a01, "bytes 0 to 1", "HIGH=0x5a,ODR1=0,ODR0=1" },
    { 0x40020015, 1, 0x7f, "byte 1", "HIGH=0x7f" },
    { 0x40020016, 2, 0x8001, "bytes 2 to 3", "other=0x80010000" },
    { 0x40020017, 4, 0x11223344, "byte 3", "other=0x44000000" },
    { 0x40020012, 4, 0xff02aaaa, "bytes 0 to 1", "HIGH=0xff,ODR1=1,ODR0=0" },
    { 0x40020010, 8, UINT64_C (0x0102aaaaaaaa), "", "HIGH=1,ODR1=1,ODR0=0" },
    { 0x40020018, 4, 1, NULL, "" },
    { 0x40020010, 4, 1, NULL, "" }
  };
  struct tb_svd *svd = open_text (chip);
  struct tb_svd_found found;
  if (!CHECK (svd != NULL) || !CHECK (tb_svd_find (svd, "GPIOA.ODR", 9, &found)))
    return;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct tb_buffer bytes = { 0 }, fields = { 0 };
      struct tb_svd_part part;
      bool has = tb_svd_part (found.reg, cases[i].address, cases[i].length, cases[i].value,
			      &part);
      CHECK_INT (has, cases[i].bytes != NULL);
      if (has)
	CHECK_INT (tb_svd_put_bytes (found.reg, &bytes, &part), cases[i].bytes[0] != '\0');
      tb_svd_put_part (found.reg, &fields, cases[i].address, cases[i].length, cases[i].value);
      tb_buffer_append (&bytes, "", 1);
      tb_buffer_append (&fields, "", 1);
      CHECK_STR ((char *) bytes.data, has ? cases[i].bytes : "");
      if (!CHECK_STR ((char *) fields.data, cases[i].fields))
	fprintf (stderr, "  case %zu\n", i);
      tb_buffer_fini (&bytes);
      tb_buffer_fini (&fields);
    }
  tb_svd_close (svd);
}

/* Each file that cannot be read is an error with a place; SAID is found in it.  */
static void
check_refused (const char *text, size_t length, const char *want)
{
  struct tb_svd *svd = open_bytes (text, length);
  CHECK (svd == NULL);
  CHECK (said[0] == 'e');
  if (strstr (said, want) == NULL)
    CHECK_STR (said, want);
}

static void
test_refused (void)
{
  check_refused ("", 0, "expected a device description");
  check_refused ("\177ELF\1\1\1", 7, ":1: not well-formed");
  check_refused ("<a/>", 4, ":1: expected <device>");
  check_refused ("<target/>", 9, "found <target>; a target description is given by "
		 "--tdesc");
  check_refused (HEAD TAIL, sizeof HEAD TAIL - 1, "expected at least one <peripheral>");
  check_refused (HEAD, sizeof HEAD - 1, "no element found");
  static const char laughs[] = "<!DOCTYPE device [<!ENTITY a \"x\">\n"
    "<!ENTITY b \"&a;&a;&a;\">]><device><name>&b;</name></device>";
  check_refused (laughs, sizeof laughs - 1, "expected no declarations of entities");

  struct tb_buffer deep = { 0 };
  tb_buffer_printf (&deep, HEAD "<peripheral><registers>");
  for (unsigned i = 0; i < 100000; i++)
    tb_buffer_append (&deep, "<cluster>", 9);
  check_refused ((const char *) deep.data, deep.size, "expected elements at most 64");
  tb_buffer_fini (&deep);

  /* Arrays in arrays: 2^60 registers of a few lines.  */
  struct tb_buffer wide = { 0 };
  tb_buffer_printf (&wide, HEAD "<peripheral><name>P</name><baseAddress>0"
		    "</baseAddress><registers>");
  for (unsigned i = 0; i < 3; i++)
    tb_buffer_printf (&wide, "<cluster><name>C%u[%%s]</name><addressOffset>0"
		      "</addressOffset><dim>1048576</dim><dimIncrement>0"
		      "</dimIncrement>", i);
  tb_buffer_printf (&wide, "</cluster></cluster></cluster></registers>"
		    "</peripheral>" TAIL);
  check_refused ((const char *) wide.data, wide.size, "expected at most 1048576");
  tb_buffer_fini (&wide);
}

/* Long chains of derivedFrom, forth and back, end; two clusters, each with a copy of
   the other in it, do.  */
static void
test_chains (void)
{
  for (unsigned way = 0; way < 2; way++)
    {
      struct tb_buffer text = { 0 };
      tb_buffer_printf (&text, HEAD);
      for (unsigned i = 0; i < 50000; i++)
	{
	  unsigned other = way == 0 ? i - 1 : i + 1;
	  if (way == 0 ? i == 0 : i == 49999)
	    tb_buffer_printf (&text, "<peripheral><name>P%u</name>", i);
	  else
	    tb_buffer_printf (&text, "<peripheral derivedFrom=\"P%u\"><name>P%u"
			      "</name>", other, i);
	  tb_buffer_printf (&text, "<baseAddress>%u</baseAddress></peripheral>", i);
	}
      tb_buffer_printf (&text, TAIL);
      struct tb_svd *svd = open_bytes ((const char *) text.data, text.size);
      CHECK (svd != NULL && strstr (said, "more things are wrong") != NULL);
      CHECK_STR (find (svd, way == 0 ? "P0" : "P49999"), way == 0 ? "0" : "c34f");
      tb_svd_close (svd);
      tb_buffer_fini (&text);
    }
  struct tb_svd *svd = open_text (HEAD REGISTERS
    ("<cluster><name>C</name><addressOffset>0</addressOffset>"
     "<cluster derivedFrom=\"E\"><name>D</name><addressOffset>4</addressOffset>"
     "</cluster>" REGISTER ("R", "0", "") "</cluster>"
     "<cluster><name>E</name><addressOffset>0</addressOffset>"
     "<cluster derivedFrom=\"C\"><name>F</name><addressOffset>4</addressOffset>"
     "</cluster></cluster>") TAIL);
  CHECK (svd != NULL);
  CHECK (strstr (said, "clusters are more than 64 deep") != NULL);
  CHECK_STR (find (svd, "P.C.R"), "1000");
  tb_svd_close (svd);
}

int
main (void)
{
  test_names ();
  test_values ();
  test_wrong ();
  test_indices ();
  test_bits ();
  test_fields ();
  test_parts ();
  test_refused ();
  test_chains ();
  return check_done ();
}
