import { listTexts } from './texts';

// `npm run texts`: prints every text that a person sees, to be read in one go.
let file = '';
for (const text of listTexts()) {
	if (text.file !== file) console.log(`\n${(file = text.file)}`);
	console.log(`${text.line}: ${text.text}`);
}
