// Stands where n8n's own program would, and runs n8n's official image with the same arguments, environment, network,
// user and data folder.
const { spawn } = require('node:child_process');

const IMAGE = 'docker.n8n.io/n8nio/n8n';
const { PATH: _path, HOME: _home, ...given } = process.env;
const data = given.N8N_USER_FOLDER;
const args = [
	...['run', '--rm', '--init', '--network', 'host', '--volume', `${data}:${data}`],
	...['--user', `${process.getuid()}:${process.getgid()}`, '--env', `HOME=${data}`],
	...Object.keys(given).flatMap((name) => ['--env', name]),
	...[IMAGE, ...process.argv.slice(2)],
];
let container;
// First: n8n may be up, and somebody end it, before spawn has returned.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => container.kill(signal));
container = spawn('docker', args, { stdio: 'inherit' });
container.once('exit', (code) => process.exit(code ?? 1));
