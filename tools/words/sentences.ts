import { listPages, LONGEST, readPage, readSentences } from './pages';

// `npm run sentences`: prints each sentence that is too long, the length of each page, and the share.
const pages = listPages();
const sentences = pages.flatMap((page) => readSentences(page));
const long = sentences.filter(({ words }) => words > LONGEST);
for (const { page, line, words, text } of long) console.log(`${page}:${line} (${words}) ${text}`);
for (const page of pages)
	console.log(`${page}: ${readPage(page).trimEnd().split('\n').length} lines`);
const share = ((100 * long.length) / sentences.length).toFixed(1);
console.log(
	`${long.length} of ${sentences.length} sentences have over ${LONGEST} words: ${share} %.`,
);
