/* Scenarios: little programs, the way that a core took through them, and what must be
   known then and what must not, as text.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A file of scenarios/ has one scenario after the other.  A line that begins with '#'
   is a remark.  A line that does not begin with a blank is one of these; indented lines
   belong to it:

     scenario NAME		a new one begins
     variants NAME NAME ...	it is run once for each; a line that begins with
				[NAME] or [NAME NAME] counts in these alone, [!NAME]
				in the others
     machine ARCH		v6m v7m v7em v8m v81m (T32), v7a (A32, T32), v8a (A64)
     dump ADDRESS LENGTH	memory at the halt, zeros where nothing else is said;
				without any: M and A32 0 to 0x3ff and 0x20000000 to
				0x200000ff, A64 0x1000 to 0x11ff and 0x8000 to 0x80ff
     code ADDRESS		indented: opcodes as the architecture writes them
				(T32: halfwords), what they mean, perhaps a name
				with a colon before them
     data ADDRESS VALUE ...	words (A64: doublewords) in a dump
     protocol NAME		etmv3, which tells conditions; ptm, mtb
     assume NAME ...		aapcs halt constants tasks frames objects
     start NAME ...		reset data
     window STEPS		how many are worked out together
     wrong-code COUNT ADDRESS
				so often the decoder found that code is not what
				ran, first there
     volatile|shared|private ADDRESS LENGTH
     object ADDRESS LENGTH	of data, of an ELF file, by address
     path			indented, in order:
	run ADDRESS COUNT	so many steps one behind the other
	taken ADDRESS		a step, a branch that is taken
	failed ADDRESS		a step whose condition fails
	raw ADDRESS OPCODE SIZE a step with an opcode that is in no dump
	isa t32|a32		of the steps that follow
	gap [REASON]		overflow bad-image debug paused
	exception NUMBER BACK [FLAGS]
				branch-target tail-chain no-return debug
	return VALUE RESUME	EXC_RETURN or 0
	context EL [secure|nonsecure] [id ID] [vmid ID]
	debug BACK		a debug halt
	end ADDRESS		the trace ends there, and the core did not halt
	halt ADDRESS NAME=VALUE ...
				the core halted there with these registers
	stop ADDRESS NAME=VALUE ...
				so it did, but the trace does not tell where it
				ends
     expect			indented, any of:
	before STEP: WHAT, WHAT ...
	after STEP: WHAT, WHAT ...
				right behind its instruction; no memory
	reads STEP: NAMES	registers and flags that its instruction reads
	writes STEP: NAMES	and writes,
	may-write STEP: NAMES	or may write; no names: none
	halt used|none|elsewhere|unconfirmed|contradicted
	warnings COUNT		without it: none

   WHAT is "NAME = VALUE", known and certain; "NAME = VALUE assumed", known by an
   assumption; "NAME unknown", not all of it is known.  NAME is a register, n z c v,
   an FP register (d0 ..., v0 and v0h, fpscr), "REGISTER & MASK", or memory: "[ADDRESS]" a
   word (A64: doubleword), "[ADDRESS:BYTES]".

   A scenario that says nothing of windows is run in small ones, too: there what is known
   must be the same, and what is not known is not.  What --why says of each of these
   before a step must fit, too.

   Numbers are sums of C's numbers and names: of code, of path (a name with a colon
   before an indented line is the number of the step that comes next), "end", how many
   steps there are.  */

#ifndef TB_UNIT_SCENARIO_H
#define TB_UNIT_SCENARIO_H

/* Run all scenarios of the file PATH; what does not hold is counted as by CHECK.  A line
   that is not understood ends the program.  ONLY, if not NULL, is the one to run.  */
void scenarios_run (const char *path, const char *only);

/* The exit status of the test program.  */
int scenarios_done (void);

#endif /* TB_UNIT_SCENARIO_H */
