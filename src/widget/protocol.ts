/** What the customer's page knows about its reader, as `guiche.setUser(id, { … })` takes it. */
export type PageUser = { id: string; name?: string; email?: string; phone?: string; hash?: string }

/** What the loader on the customer's page tells our frame. */
export type ToFrame =
  | { type: 'guiche:init'; url: string; title: string; stored: Record<string, string> }
  | { type: 'guiche:shown'; open: boolean; full: boolean; focus: boolean }
  | { type: 'guiche:user'; user: PageUser }
  | { type: 'guiche:attributes'; attributes: Record<string, string> }
  | { type: 'guiche:stored'; key: string; value: string | null }
  | { type: 'guiche:reset' }

/** How what stands on the page is called; `{n}` is filled in. */
export type Labels = Record<'title' | 'open' | 'close' | 'one' | 'many', string>

/** What our frame tells the loader. */
export type ToPage =
  | { type: 'guiche:hello' }
  | { type: 'guiche:ready'; labels: Labels; color: string | null; position: 'left' | 'right' }
  /** It is time to open by itself. */
  | { type: 'guiche:open' }
  | { type: 'guiche:close' }
  | { type: 'guiche:unread'; count: number }
  | { type: 'guiche:store'; key: string; value: string | null }
  | { type: 'guiche:event'; name: string; detail: unknown }

/** True for a message that carries our prefix; everything else on the page's channel is somebody else's. */
export const isOurs = (data: unknown): data is { type: string } =>
  typeof data === 'object' && data !== null && String((data as { type?: unknown }).type).startsWith('guiche:')
