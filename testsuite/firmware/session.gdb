set pagination off
set confirm off
set debuginfod enabled off
set width 0
echo \n@@1@@\n
target remote 127.0.0.1:44811
echo \n@@2@@\n
backtrace
echo \n@@3@@\n
frame 2
echo \n@@4@@\n
print &batch.sink
echo \n@@5@@\n
watch *(unsigned short *) 0x20000024
echo \n@@6@@\n
reverse-continue
echo \n@@7@@\n
backtrace
echo \n@@8@@\n
info registers
echo \n@@9@@\n
reverse-finish
echo \n@@10@@\n
delete
echo \n@@11@@\n
break Sensor_Handler
echo \n@@12@@\n
reverse-continue
echo \n@@13@@\n
monitor where
echo \n@@14@@\n
print $step
echo \n@@15@@\n
monitor why r4
echo \n@@16@@\n
tfind pc HardFault_Handler
echo \n@@17@@\n
tfind none
echo \n@@18@@\n
monitor help
echo \n@@0@@\n