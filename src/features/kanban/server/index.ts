import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { board } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { boardReads } from './board.ts'
import { replaceStage, stageRoutes } from './stages.ts'

const boardRoutes = implement(board, {
  ...boardReads,
  replaceStage: (ctx, { params, body }) => replaceStage(ctx, params.id, body.kanban),
})

/** Server part of the feature `kanban`: the kanban: stages, and the board of contacts by stage or tag. */
export const kanbanFeature: Feature = {
  name: 'kanban',
  titles: { stages: 'Etapas do kanban', board: 'Painel do kanban' },
  permissions,
  errors,
  routes: [...stageRoutes, ...boardRoutes],
}
