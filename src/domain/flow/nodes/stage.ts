import { idOf } from '../json.ts'
import { effect } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    stage: { readonly kanban: number | null }
  }
}

declare module '../session.ts' {
  interface Effects {
    stage: { readonly kanban: number }
  }
}

/** Moves the contact on the kanban. */
export const stage: NodeKind<'stage'> = {
  types: { KanbanField: { label: 'Kanban', form: [{ key: 'kanban', kind: 'stage', label: 'Etapa do Kanban' }] } },
  read: (fields) => ({ kanban: idOf(fields['kanban']) }),
  check: ({ kanban }, { stageIds }) =>
    kanban !== null && stageIds.has(kanban) ? [] : [['deletedStage', 'usa uma etapa do kanban que não existe.']],
  perform(run, { kanban }) {
    if (kanban !== null) effect(run, { type: 'stage', kanban })
  },
}
