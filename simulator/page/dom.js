/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** An element with properties (or attributes, where there is no such property) and children. */
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

const SVG = 'http://www.w3.org/2000/svg';

/** A symbol of the page; with a label it speaks, else it is decoration. */
export function drawIcon(symbol, label) {
	const icon = document.createElementNS(SVG, 'svg');
	icon.append(document.createElementNS(SVG, 'use'));
	setIcon(icon, symbol, label);
	return icon;
}

export function setIcon(icon, symbol, label) {
	icon.firstChild.setAttribute('href', `#icon-${symbol}`);
	if (label === undefined) return icon.setAttribute('aria-hidden', 'true');
	icon.setAttribute('role', 'img');
	return icon.setAttribute('aria-label', label);
}

/** Replaces the children, and gives the focus back to the one that stands for the same thing. */
export function replaceChildren(parent, children) {
	const held = parent.contains(document.activeElement)
		? document.activeElement.dataset.key
		: undefined;
	parent.replaceChildren(...children);
	if (held !== undefined) parent.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
}

/** Hour and minute of a time given in any form that `Date` reads. */
export function formatTime(at, withSeconds = false) {
	const seconds = withSeconds ? { second: '2-digit' } : {};
	return new Date(at).toLocaleTimeString([], {
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		...seconds,
	});
}

/** The time for today, else the day; with the year where it is another one. */
export function formatWhen(at) {
	const [then, now] = [new Date(at), new Date()];
	if (then.toDateString() === now.toDateString()) return formatTime(at);
	const year = then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };
	return then.toLocaleDateString([], { day: 'numeric', month: 'short', ...year });
}

/** A Brazilian number as people write it; others with a plus sign. */
export function formatPhone(phone) {
	if (phone === undefined) return 'hidden number';
	const [, area, number] = /^55(\d\d)(\d{8,9})$/.exec(phone) ?? [];
	return area ? `+55 ${area} ${number.slice(0, -4)}-${number.slice(-4)}` : `+${phone}`;
}
