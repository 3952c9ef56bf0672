import type { NumberNews, TemplateNews } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'

/** Who keeps what providers tell beside messages: what connections tell the feature that owns it. */
export type Keeper<News> = {
  /** A connection whose provider has such things can be spoken to from now on. */
  connected(ctx: Ctx, connectionId: number): void
  /** What a provider tells, of one company's alone where `owner` is told; answers how much of it nobody has. */
  news(platform: Platform, owner: number | null, news: readonly News[]): Promise<number>
}

type Keepers = { readonly templates: Keeper<TemplateNews>; readonly numbers: Keeper<NumberNews> }

const nobody: Keeper<unknown> = { connected: () => {}, news: async (_, __, all) => all.length }
const registered: { -readonly [K in keyof Keepers]: Keepers[K] } = { templates: nobody, numbers: nobody }

/** Registers who keeps message templates, or how numbers stand. */
export function registerKeeper<K extends keyof Keepers>(of: K, keeper: Keepers[K]): void {
  registered[of] = keeper
}

/** Who keeps what. */
export const keepers = (): Keepers => registered
