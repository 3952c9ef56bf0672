/** Visitor's data of the customer's page, as passed to `guiche.setUser(id, { … })`. */
export type PageUser = { id: string; name?: string; email?: string; phone?: string; hash?: string }

/** Message from the loader on the customer's page to our frame. */
export type ToFrame =
  | { type: 'guiche:init'; url: string; title: string; stored: Record<string, string> }
  | { type: 'guiche:shown'; open: boolean; full: boolean; focus: boolean }
  | { type: 'guiche:user'; user: PageUser }
  | { type: 'guiche:attributes'; attributes: Record<string, string> }
  | { type: 'guiche:stored'; key: string; value: string | null }
  | { type: 'guiche:reset' }

/** Labels of the launcher on the page; `{n}` is filled in. */
export type Labels = Record<'title' | 'open' | 'close' | 'one' | 'many', string>

/** Message from our frame to the loader. */
export type ToPage =
  | { type: 'guiche:hello' }
  | { type: 'guiche:ready'; labels: Labels; color: string | null; position: 'left' | 'right' }
  /** Asks the loader to open the widget automatically. */
  | { type: 'guiche:open' }
  | { type: 'guiche:close' }
  | { type: 'guiche:unread'; count: number }
  | { type: 'guiche:store'; key: string; value: string | null }
  | { type: 'guiche:event'; name: string; detail: unknown }

/** True for a message with our prefix; other messages on the page's channel are foreign. */
export const isOurs = (data: unknown): data is { type: string } =>
  typeof data === 'object' && data !== null && String((data as { type?: unknown }).type).startsWith('guiche:')
