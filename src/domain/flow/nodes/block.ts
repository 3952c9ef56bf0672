import { UNDIRECTED } from '../flow.ts'
import { isSet } from '../json.ts'
import { direct, effect } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    block: { readonly isBlocked: boolean }
  }
}

declare module '../session.ts' {
  interface Effects {
    block: { readonly isBlocked: boolean }
  }
}

/** Blocks or unblocks chatbots for the contact. */
export const block: NodeKind<'block'> = {
  types: {
    ChatBotBlockField: {
      label: 'Bloquear ChatBot',
      form: [{ key: 'chatbotBlocked', kind: 'switch', usual: true, label: 'Bloquear o ChatBot para este contato' }],
    },
  },
  read: (fields) => ({ isBlocked: fields['chatbotBlocked'] === undefined || isSet(fields['chatbotBlocked']) }),
  leads: ({ isBlocked }) => (isBlocked ? null : undefined),
  isLast: ({ isBlocked }) => isBlocked,
  perform(run, { isBlocked }) {
    effect(run, { type: 'block', isBlocked })
    if (isBlocked) direct(run, UNDIRECTED, { why: 'O ChatBot foi bloqueado para o contato.', end: 'done' })
  },
}
