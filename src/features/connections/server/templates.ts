import type { TemplateNews } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'

/** Who keeps the message templates of connections: what these tell the feature that owns them. */
export type TemplateKeeper = {
  /** A connection whose provider has templates can be spoken to from now on. */
  connected(ctx: Ctx, connectionId: number): void
  /** What a provider tells of templates, of one company's alone where `owner` is told; answers how many of them nobody has. */
  news(platform: Platform, owner: number | null, news: readonly TemplateNews[]): Promise<number>
}

let keeper: TemplateKeeper = { connected: () => {}, news: async (_, __, all) => all.length }

/** Registers who keeps the templates. */
export const registerTemplateKeeper = (one: TemplateKeeper): void => {
  keeper = one
}

export const templateKeeper = (): TemplateKeeper => keeper
