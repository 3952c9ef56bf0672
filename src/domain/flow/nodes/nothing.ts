import { UNDIRECTED } from '../flow.ts'
import { direct, explain } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    /** What this product cannot do, or does not know. */
    nothing: { readonly isKnown: boolean; readonly isLast: boolean }
  }
}

/** What documents may have and this product cannot do yet; with `isLast`, the bot is off after it. */
export const UNAVAILABLE: Readonly<Record<string, { readonly label: string; readonly isLast?: true }>> = {
  TypebotField: { label: 'Typebot', isLast: true },
  ChatGPTField: { label: 'ChatGPT', isLast: true },
  N8nField: { label: 'N8N', isLast: true },
  GoogleAgendaField: { label: 'Google Agenda' },
  VapiField: { label: 'Vapi' },
}

const known = (type: string) => (Object.hasOwn(UNAVAILABLE, type) ? UNAVAILABLE[type] : undefined)

/** Is passed over, and survives. */
export const nothing: NodeKind<'nothing'> = {
  types: {},
  read: (_, type) => ({ isKnown: known(type) !== undefined, isLast: known(type)?.isLast ?? false }),
  leads: ({ isLast }) => (isLast ? null : undefined),
  isLast: ({ isLast }) => isLast,
  perform(run, { type, isLast }) {
    const label = known(type)?.label ?? type
    if (isLast)
      direct(run, UNDIRECTED, {
        why: `“${label}” não está disponível: o atendimento vai para uma pessoa.`,
        end: 'done',
      })
    else explain(run, `“${label}” não está disponível e foi pulado.`)
  },
}
