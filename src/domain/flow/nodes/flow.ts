import { idOf } from '../json.ts'
import { effect, giveUp, update } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    flow: { readonly chatFlowId: number | null }
  }
}

declare module '../session.ts' {
  interface Effects {
    flow: { readonly chatFlowId: number }
  }
}

/** Starts another flow. */
export const flow: NodeKind<'flow'> = {
  types: {
    ChatFlowField: {
      label: 'Iniciar novo fluxo',
      form: [
        {
          key: 'chatFlow',
          also: ['chatFlowId'],
          kind: 'flow',
          label: 'Fluxo',
          hint: 'Precisa ser a última interação da etapa.',
        },
      ],
    },
  },
  read: (fields) => ({ chatFlowId: idOf(fields['chatFlow'] ?? fields['chatFlowId']) }),
  // The flow itself counts as published by the publication being checked.
  check: (one, { chatFlowId, flows }) =>
    one.chatFlowId === chatFlowId || flows.has(one.chatFlowId ?? 0)
      ? []
      : [['deletedFlow', 'inicia um fluxo que não existe.']],
  leads: ({ chatFlowId }) => chatFlowId,
  isLast: () => true,
  perform(run, { chatFlowId }) {
    if (chatFlowId === null) return giveUp(run, 'O fluxo quis iniciar outro fluxo que não existe.')
    effect(run, { type: 'flow', chatFlowId })
    update(run, { waiting: { for: 'flow' } })
  },
}
