import type { SimulatorSettings } from '../options';

/** Payload of a list operation; its shape inside `data` is a gap of the document. The document shows no paging. */
export function answerList(settings: SimulatorSettings, name: string, entries: unknown[]) {
	return { data: settings.nestLists ? { [name]: entries } : entries };
}
