/** Somebody on the network. The id is opaque: it has nothing to do with the phone. */
export interface Person {
	id: string;
	name: string;
	/** Absent when the network hides the number. */
	phone?: string;
}

/** Invented people. No subscriber in Brazil has a number of these series. */
export const PEOPLE: Person[] = [
	{ id: '201894637712045@lid', name: 'Ana Souza', phone: '5511900000001' },
	{ id: '77340918826114@lid', name: 'Bruno Carvalho', phone: '5521900000002' },
	// Registered on the network in the old form, without the ninth digit.
	{ id: '158820046193377@lid', name: 'Carla Mendes', phone: '553190000003' },
	{ id: '240017755638902@lid', name: 'Davi Rocha' },
	{ id: '96551203847720@lid', name: 'Dona Lúcia', phone: '557130000005' },
];

/** Names of the first groups; any further ones are numbered. */
export const GROUP_NAMES = [
	'Família Souza',
	'Clientes da Padaria',
	'Entregas Zona Sul',
	'Condomínio Ipê Amarelo',
	'Futebol de Quinta',
	'Fornecedores',
];

/** Id of the group at a position: stable from start to start, so that saved workflows keep working. */
export function groupIdAt(position: number): string {
	return `1203634${String(10_007 * (position + 1)).padStart(11, '0')}@g.us`;
}

/** Name of the group at a position. */
export const groupNameAt = (position: number) => GROUP_NAMES[position] ?? `Bairro ${position + 1}`;

/**
 * One value for every spelling of a line: digits only, and for a Brazilian mobile number without the ninth
 * digit (API 2.5: both forms are the same line).
 */
export function lineOf(phone: string): string {
	const digits = phone.replace(/\D/g, '');
	return /^55\d{2}9\d{8}$/.test(digits) ? digits.slice(0, 4) + digits.slice(5) : digits;
}
