import { type FeatureMakers, type Making, ownCompany, rowsOf } from './maker.ts'

const now = ({ product }: Making) => product.platform.now()
const times = (making: Making) => ({ created_at: now(making), updated_at: now(making) })
let made = 0

const pipelineOf = (making: Making): Promise<number> =>
  rowsOf(making).insert('pipelines', making.tenantId, { name: `Funil ${++made}`, ...times(making) })

async function stageOf(making: Making): Promise<number> {
  const pipeline_id = await pipelineOf(making)
  const row = { pipeline_id, name: 'Etapa', color: '#4A90E2', chance: 50, stale_days: 15, ...times(making) }
  const first = await rowsOf(making).insert('pipeline_stages', making.tenantId, { ...row, position: 1 })
  await rowsOf(making).insert('pipeline_stages', making.tenantId, { ...row, position: 2 })
  return first
}

async function actionOf(making: Making): Promise<number> {
  const stage_id = await stageOf(making)
  return rowsOf(making).insert('pipeline_actions', making.tenantId, {
    ...{ pipeline_id: await pipelineOfStage(making, stage_id), stage_id, name: 'Avisar', active_since: now(making) },
    ...{ steps: JSON.stringify([{ type: 'status_change', targetStatus: 'win' }]), ...times(making) },
  })
}

const pipelineOfStage = (making: Making, id: number): Promise<number> =>
  making.product.platform.db.asPlatform(async (db) => {
    const row = await db
      .selectFrom('pipeline_stages')
      .select('pipeline_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.pipeline_id
  })

async function opportunityOf(making: Making): Promise<number> {
  const rows = rowsOf(making)
  const stage_id = await stageOf(making)
  const pipeline_id = await pipelineOfStage(making, stage_id)
  return rows.insert('opportunities', making.tenantId, {
    ...{ pipeline_id, stage_id, rank: 'a0', contact_id: await rows.contact(making.tenantId), name: 'Mesa' },
    ...{ stage_since: now(making), moved_at: now(making), ...times(making) },
  })
}

async function noteOf(making: Making): Promise<number> {
  const opportunity_id = await opportunityOf(making)
  const row = { opportunity_id, text: 'Prefere à tarde', created_at: now(making) }
  return rowsOf(making).insert('opportunity_notes', making.tenantId, row)
}

export const makers: FeatureMakers = {
  params: {
    'pipelines.id': pipelineOf,
    'pipelineStages.id': stageOf,
    'opportunities.id': opportunityOf,
    'pipelineActions.id': actionOf,
    'pipelineActions.pipelineId': pipelineOf,
    'pipelineActions.stageId': stageOf,
    'pipelineActions.tenantId': ownCompany,
    'opportunityNotes.id': opportunityOf,
    'opportunityNotes.noteId': noteOf,
    'opportunities.contactId': (making) => rowsOf(making).contact(making.tenantId),
  },
  bodies: { 'opportunities.bulk': { ids: [1], action: 'win', args: {} } },
}
