/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** An element with properties (or attributes, if there is no such property) and children. */
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === false) continue;
		if (name in element && !name.startsWith('aria-')) element[name] = value;
		else element.setAttribute(name, value === true ? '' : value);
	}
	element.append(...children.filter((child) => child !== undefined && child !== ''));
	return element;
}

/** Gives a list its choices, each a value with its label. */
export function fillSelect(id, choices, chosen) {
	$(id).replaceChildren(
		...choices.map(([value, label]) =>
			make('option', { value, selected: String(value) === String(chosen) }, label),
		),
	);
}

/** Replaces the children, and gives the focus back to the one that stands for the same thing. */
export function replaceChildren(parent, children) {
	const held = parent.contains(document.activeElement)
		? document.activeElement.dataset.key
		: undefined;
	parent.replaceChildren(...children);
	if (held !== undefined) parent.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
}

/** First letters of the name; a hash for a name without letters. */
export function initialsOf(name) {
	const letters = name.split(/\s+/).flatMap((word) => word.match(/^\p{L}/u) ?? []);
	return letters.slice(0, 2).join('').toUpperCase() || '#';
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** Hour and minute of a time given in any form that `Date` reads. */
export const formatTime = (at, more = {}) =>
	new Date(at).toLocaleTimeString([], { ...TIME, ...more });

/** The time for today, else the day. */
export function formatWhen(at) {
	const date = new Date(at);
	if (date.toDateString() === new Date().toDateString()) return formatTime(at);
	return date.toLocaleDateString([], { day: 'numeric', month: 'short' });
}

/** A Brazilian number as people write it; others with a plus sign. */
export function formatPhone(phone) {
	if (phone === undefined) return 'hidden number';
	const [, area, line] = /^55(\d\d)(\d{8,9})$/.exec(phone) ?? [];
	return area ? `+55 ${area} ${line.slice(0, -4)}-${line.slice(-4)}` : `+${phone}`;
}

const TAGS = { '*': 'strong', _: 'em' };
const MARKS =
	/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])|https?:\/\/[^\s<>"]*[^\s<>".,!?)]/gu;

/** A message as the network shows it: `*bold*`, `_italic_`, and links. */
export function drawText(text) {
	const parts = [];
	let end = 0;
	for (const match of text.matchAll(MARKS)) {
		const [all, mark, inside] = match;
		const drawn = mark
			? make(TAGS[mark], {}, ...drawText(inside))
			: make('a', { href: all, target: '_blank', rel: 'noopener' }, all);
		parts.push(text.slice(end, match.index), drawn);
		end = match.index + all.length;
	}
	return [...parts, text.slice(end)];
}
