import type { Situation } from '#domain/assistants/choice.ts'
import { isWord } from '#domain/assistants/off-word.ts'
import { isOn } from '#kit/settings.ts'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import type { Ctx } from '#server/context.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import type { SituationRow } from './queries-turns.ts'

/** Whether a call of a provider may do more than answer. */
export const hasEffects = (provider: string): boolean =>
  assistantConfigs.find(({ id }) => id === provider)?.hasEffects !== false

/** Whether an account of a provider can write to customers. */
export const isWriting = (provider: string): boolean =>
  assistantConfigs.some(({ id, kind }) => id === provider && kind !== 'voice')

/** Converts a stored situation to the domain's form. */
export const situationOf = (ctx: Pick<Ctx, 'settings'>, row: SituationRow): Situation => ({
  ...row,
  isInWallet: row.hasWallet && isOn(ctx.settings, 'walletExternalInteraction'),
})

/** Whether a customer asks for a person by the word of an account. */
export const isOffWord = (text: string, { config }: Pick<StoredAccount, 'config'>): boolean =>
  isWord(text, config['offWord'])
