/* Vectors, reset and the end of a fault.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stdint.h>

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern uint32_t stack_top[];

int main (void);
void Reset_Handler (void);
void HardFault_Handler (void);
void Sensor_Handler (void);
void fault_report (const uint32_t *frame);

/* What a fault leaves for the technician.  */
struct fault
{
  uint32_t magic;
  uint32_t pc;
  uint32_t lr;
  uint32_t psr;
};

struct fault last_fault;

static void
unexpected (void)
{
  for (;;)
    ;
}

__attribute__ ((section (".vectors"), used))
static const uintptr_t vectors[24] = {
  (uintptr_t) stack_top,
  (uintptr_t) Reset_Handler,
  (uintptr_t) unexpected,
  (uintptr_t) HardFault_Handler,
  [11] = (uintptr_t) unexpected,
  [14] = (uintptr_t) unexpected,
  [15] = (uintptr_t) unexpected,
  [16 + 7] = (uintptr_t) Sensor_Handler
};

void
Reset_Handler (void)
{
  uint32_t *from = data_load;
  for (uint32_t *to = data_start; to < data_end; to++)
    *to = *from++;
  for (uint32_t *to = bss_start; to < bss_end; to++)
    *to = 0;
  main ();
  unexpected ();
}

/* The faulting code's registers are in the frame at the stack pointer.  */
__attribute__ ((naked)) void
HardFault_Handler (void)
{
  __asm volatile ("mrs r0, msp\n\tb fault_report");
}

/* Note the fault, then stop for the debugger.  */
void
fault_report (const uint32_t *frame)
{
  last_fault.magic = 0xfa017;
  last_fault.lr = frame[5];
  last_fault.pc = frame[6];
  last_fault.psr = frame[7];
  __asm volatile (".global fault_halt\nfault_halt: bkpt #0");
  unexpected ();
}
