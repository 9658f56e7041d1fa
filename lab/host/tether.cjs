// Loaded into a process before its own code: when the process that started it is gone, however that ended, this one and
// everything it started goes as well. It leads its own process group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.channel?.unref();
