import { addresses } from '#kit/addresses.ts'

const touches = ['pipelineActions']

/** Routes of `pipelineActions`. */
export const pipelineActions = addresses('pipelineActions', {
  list: { method: 'GET', path: '/pipeline-actions', can: 'pipelines:write' },
  ofPipeline: { method: 'GET', path: '/pipeline-actions/pipeline/:pipelineId', can: 'pipelines:write' },
  ofStage: { method: 'GET', path: '/pipeline-actions/stage/:stageId', can: 'pipelines:write' },
  get: { method: 'GET', path: '/pipeline-actions/:id', can: 'pipelines:write' },
  create: { method: 'POST', path: '/pipeline-actions', can: 'pipelines:write', touches },
  sequential: { method: 'POST', path: '/pipeline-actions/sequential', can: 'pipelines:write', touches },
  update: { method: 'PUT', path: '/pipeline-actions/:id', can: 'pipelines:write', touches },
  remove: { method: 'DELETE', path: '/pipeline-actions/:id', can: 'pipelines:write', touches },
  toggle: { method: 'PUT', path: '/pipeline-actions/:id/toggle-active', can: 'pipelines:write', touches },
  simulate: { method: 'POST', path: '/pipeline-actions/:id/simulate', can: 'pipelines:write', touches: [] },
  logs: { method: 'GET', path: '/pipeline-action-log/tenant/:tenantId', can: 'pipelines:write' },
})
