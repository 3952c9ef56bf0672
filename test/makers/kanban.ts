import { stages } from '#features/kanban/stages.ts'
import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'board.id': (making) => rowsOf(making).row(making.tenantId, stages),
  },
  bodies: { 'board.replaceStage': { kanban: null } },
}
