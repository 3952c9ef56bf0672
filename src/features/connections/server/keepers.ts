import type { ChannelConfig } from '#providers/channels/config.ts'
import type { NumberNews, TemplateNews } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'

/** Receives provider news beside messages, for the feature that owns them. */
export type Keeper<News> = {
  /** Called when a connection whose provider has such things becomes available. */
  connected(ctx: Ctx, connectionId: number): void
  /** Applies provider news, to one company's only if `owner` is given; returns how many belong to no company. */
  news(platform: Platform, owner: number | null, news: readonly News[]): Promise<number>
}

/** Receives news about the state of numbers. */
export type NumberKeeper = Keeper<NumberNews> & {
  /** Called when a provider delivers nothing by a connection until it is paid. */
  unpaid(platform: Platform, tenantId: number, connectionId: number): Promise<void>
}

type Keepers = { readonly templates: Keeper<TemplateNews>; readonly numbers: NumberKeeper }

const nobody = {
  connected: () => {},
  news: async (_: Platform, __: number | null, all: readonly unknown[]) => all.length,
  unpaid: async () => {},
}
const registered: { -readonly [K in keyof Keepers]: Keepers[K] } = { templates: nobody, numbers: nobody }

/** Registers the receiver of news about message templates, or numbers. */
export function registerKeeper<K extends keyof Keepers>(of: K, keeper: Keepers[K]): void {
  registered[of] = keeper
}

/** Returns the registered receivers. */
export const keepers = (): Keepers => registered

/** Requests a new reading of templates and number states from a connection's provider, if its channel has them. */
export function readFromProvider(ctx: Ctx, id: number, { capabilities, businessField }: ChannelConfig): void {
  if (capabilities.templates) registered.templates.connected(ctx, id)
  if (businessField) registered.numbers.connected(ctx, id)
}
