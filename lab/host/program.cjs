// Runs a program in the place of a script of Node: so what holds such a script (tether.cjs) holds any program.
const { spawn } = require('node:child_process');

const [, , command, ...args] = process.argv;
const child = spawn(command, args, { stdio: 'inherit' });
child.once('error', ({ message }) => {
	console.error(message);
	process.exit(127);
});
child.once('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => child.kill('SIGTERM'));
