import { whyUnreachable } from '../../../nodes/MessagingGateway/gateway/reach';

const ON_THE_INTERNET = 'https://gateway.example.com';

const range = (first: number, from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `http://${first}.${from + index}.0.1/x`);

const THIS_MACHINE = [
	'http://localhost:5678/webhook/x',
	'http://n8n.localhost/x',
	'http://[::1]:5678/x',
	'http://0.0.0.0:5678/x',
	'http://[::]:5678/x',
	'http://host.docker.internal:5678/x',
	...range(127, 0, 255),
];

const PRIVATE_NETWORK = [
	'http://10.0.0.10:5678/x',
	'http://192.168.0.10:5678/x',
	'http://169.254.1.1/x',
	...range(10, 0, 255),
	...range(172, 16, 31),
	...range(100, 64, 127),
	'http://[fc00::1]/x',
	'http://[fd12:3456::1]:5678/x',
	'http://[feaf::1]/x',
	...['8', '9', 'a', 'b'].map((third) => `http://[fe${third}0::1]/x`),
	'http://n8n:5678/x',
	'http://n8n.local:5678/x',
	'http://n8n.localdomain/x',
	'http://N8N.LAN./x',
	'http://n8n.home.arpa/x',
	'http://n8n.internal/x',
	'http://n8n.default.svc.cluster.local/x',
];

const ANYWHERE = [
	'https://n8n.example.com/x',
	'http://n8n.example.com:5678/x',
	'http://[fec0::1]/x',
	'https://localhost.example.com/x',
	'https://127.0.0.1.example.com/x',
	...range(172, 0, 15),
	...range(172, 32, 255),
	...range(100, 0, 63),
	...range(100, 128, 255),
	...range(192, 0, 167),
	...range(192, 169, 255),
	'http://[2001:db8::1]:5678/x',
];

const SAME_NETWORK = [
	'http://gateway:3000',
	'http://192.168.0.20:3000',
	'https://gateway.lan',
	// What answers without TLS is hardly on the internet, whatever its name looks like.
	'http://[fd12:3456::2]:3000',
	'http://gateway.messaging:3000',
];
const SAME_MACHINE = [
	'http://localhost:8080',
	'http://127.0.0.1:8080/api',
	'http://[::1]:80',
	'http://host.docker.internal',
];

it.each([
	['only this machine', THIS_MACHINE, [ON_THE_INTERNET, ...SAME_NETWORK]],
	['private network', PRIVATE_NETWORK, [ON_THE_INTERNET]],
	['no web address', ['n8n.example.com/x'], [ON_THE_INTERNET, ...SAME_NETWORK]],
	['nothing', ANYWHERE, []],
])('says %s of an address to each gateway that cannot reach it', (words, urls, refused) => {
	for (const url of urls) {
		for (const gateway of [ON_THE_INTERNET, ...SAME_NETWORK, ...SAME_MACHINE]) {
			const reason = refused.includes(gateway) ? expect.stringContaining(words) : undefined;
			expect([url, gateway, whyUnreachable(url, gateway)]).toEqual([url, gateway, reason]);
		}
	}
});
