import { isPlainPath, nameGateway, readBaseUrl } from '../../../nodes/MessagingGateway/api/address';

const GATEWAY = 'https://gateway.example.com';

describe('a base URL', () => {
	it.each([
		[GATEWAY, GATEWAY],
		[` ${GATEWAY}//v1// `, `${GATEWAY}/`],
		[`${GATEWAY}/v1`, GATEWAY],
		[`${GATEWAY}/v1/`, GATEWAY],
		// Only a whole last segment is one that the paths of endpoints bring along.
		[`${GATEWAY}/apiv1`, `${GATEWAY}/apiv1`],
		[`${GATEWAY}/v1/tools`, `${GATEWAY}/v1/tools`],
		[`${GATEWAY}/v10`, `${GATEWAY}/v10`],
		['HTTP://Gateway.Example.com:80/Tools', 'http://gateway.example.com/Tools'],
	])('%j is read as %j', (typed, read) => {
		expect(readBaseUrl(typed)).toBe(read);
	});

	it.each([
		['https://user@gateway.example.com', 'user name or password'],
		['https://:word@gateway.example.com', 'user name or password'],
		[`${GATEWAY}/?key=1`, '"?" or a "#"'],
		[`${GATEWAY}/#top`, '"?" or a "#"'],
		['ws://gateway.example.com', 'not a web address'],
		['http:', 'not a web address'],
		[undefined, 'empty'],
		[' ', 'empty'],
		[`${GATEWAY}/svc_inst_abc`, 'holds a token'],
	])('%j is refused', (typed, words) => {
		expect(() => readBaseUrl(typed)).toThrow(words);
	});

	it.each([
		[`${GATEWAY}:8443/private/v1`, `${GATEWAY}:8443`],
		['https://user:word@gateway.example.com', GATEWAY],
		['no address', ''],
		[undefined, ''],
	])('%j is named %j', (baseUrl, name) => {
		expect(nameGateway(baseUrl)).toBe(name);
	});
});

it.each([
	['/v1/a b', false],
	['/v1/a%20b', true],
	['/v1/groups/', true],
	['/v1//groups', false],
	['/v1/%20..', false],
	['/v1/..%20', false],
	['/v1/..;x', false],
	['/v1/a;..', true],
	['/v1/%EF%BC%8E%EF%BC%8E', false],
	['/v1/a%2525', false],
	['/v1/a%00', false],
	[`/v1/${'a'.repeat(1_996)}`, true],
	[`/v1/${'a'.repeat(1_997)}`, false],
])('that %.40s leads where it reads is %s', (path, isPlain) => {
	expect(isPlainPath(path)).toBe(isPlain);
});
