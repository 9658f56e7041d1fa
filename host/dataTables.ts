import type { IDataObject } from 'n8n-workflow';
import type { N8nApi } from './api';

/** One of n8n's data tables, as a person sees and edits it under Overview. */
export interface DataTable {
	addRows(rows: IDataObject[]): Promise<void>;
	/** All rows in the order in which they were made. */
	readRows(): Promise<IDataObject[]>;
}

/** Finds a data table by its name. */
export async function openDataTable(api: N8nApi, name: string): Promise<DataTable> {
	const project = await api.request<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await api.request<{ data: Array<{ id: string }> }>(
		'GET',
		`${tables}?filter=${filter}`,
	);
	if (data.length === 0) throw new Error(`There is no data table called ${name}`);
	const table = `${tables}/${data[0].id}`;
	return {
		addRows: async (rows) =>
			await api.request('POST', `${table}/insert`, { data: rows, returnType: 'count' }),
		readRows: async () =>
			(await api.request<{ data: IDataObject[] }>('GET', `${table}/rows?take=250&sortBy=id:asc`))
				.data,
	};
}
