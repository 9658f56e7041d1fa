const LOOK_EVERY_MS = 1500;

const $ = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/** The words of a mail without plain text. Parsed like this, nothing of it runs or is fetched. */
function readHtml(html) {
	const lines = html.replace(/<br\s*\/?>|<\/(p|div|h[1-6]|li|tr)>/gi, '$&\n');
	return new DOMParser().parseFromString(lines, 'text/html').body.textContent.trim();
}

function drawMail({ from, to, subject, text, html, at }) {
	const date = new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
	return make(
		'li',
		{},
		make('h2', {}, subject || 'Without a subject'),
		make(
			'p',
			{ className: 'about' },
			`From ${from || 'nobody'} to ${to.join(', ')} · `,
			make('time', { dateTime: at }, date),
		),
		make('p', { className: 'text', dir: 'auto' }, text || readHtml(html ?? '')),
	);
}

let shown = -1;
let newest;

/** What has come since is put above what is there, so that a screen reader reads out that alone. */
function draw({ mails, phoneUrl }) {
	$('phone').href = phoneUrl;
	$('none').hidden = mails.length > 0;
	$('empty').hidden = mails.length === 0;
	const isSame = mails.length === shown && mails.at(-1)?.at === newest;
	if (isSame) return;
	const position = mails.findIndex(({ at }) => at === newest);
	const since = mails.slice(position + 1);
	if (position < 0) $('mails').replaceChildren();
	for (const mail of since) $('mails').prepend(drawMail(mail));
	shown = mails.length;
	newest = mails.at(-1)?.at;
}

async function look() {
	try {
		const answer = await fetch('/mails');
		draw(await answer.json());
		$('offline').hidden = true;
	} catch {
		$('offline').hidden = false;
	}
}

$('empty').addEventListener('click', async () => {
	if (!confirm('Delete all mails?')) return;
	await fetch('/mails', { method: 'DELETE' });
	await look();
});
await look();
setInterval(look, LOOK_EVERY_MS);
