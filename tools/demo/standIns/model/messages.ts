import type { ChatRequest } from '../../../../host/chatModel';

export type Message = ChatRequest['messages'][number];

/** Text as both interfaces carry it. */
export type Content = string | Array<{ text?: string }> | null;

export function readText(content: Content = null): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map(({ text = '' }) => text).join('\n');
}

/** Newer models call their system message the developer's. */
export function readRole(role: Message['role'] | 'developer'): Message['role'] {
	return role === 'developer' ? 'system' : role;
}
