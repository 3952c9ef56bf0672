import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import { settings } from '../settings.ts'
import { phoneCallJob, serveReports } from './phone-calls.ts'
import {
  answerRoutes,
  assistantRoutes,
  connectionRoutes,
  copilotRoutes,
  phoneRoutes,
  queueRoutes,
  transcriptRoutes,
  turnRoutes,
} from './routes.ts'
import { startTurns } from './runner.ts'
import { transcribeJob } from './transcribe.ts'
import { startWarning } from './warnings.ts'

export { answeringAccounts } from './answering.ts'
export { attendByAssistant, endAssistants } from './attend.ts'
export { answersThisMonth } from './costs.ts'
export { flowAnsweredJob } from './flow-answers.ts'
export { askForFlow } from './flow-turns.ts'
export { phoneCallJob } from './phone-calls.ts'
export { removeCalls, removeTurns } from './queries-calls.ts'

/** Server part of the feature `assistants`: AI assistants that answer customers, and their cost. */
export const assistantsFeature: Feature = {
  name: 'assistants',
  titles: {
    assistants: 'Assistentes',
    connectionAssistants: 'Assistente de um canal',
    assistantTurns: 'Respostas dos assistentes',
    copilot: 'Copiloto',
    transcripts: 'Transcrição de áudios',
    assistantAnswers: 'Respostas que vêm depois',
    queueAssistants: 'Assistente de uma fila',
    phoneAssistants: 'Ligações de assistentes',
  },
  settings,
  permissions,
  plan,
  errors,
  routes: [
    ...assistantRoutes,
    ...connectionRoutes,
    ...queueRoutes,
    ...turnRoutes,
    ...copilotRoutes,
    ...transcriptRoutes,
    ...answerRoutes,
    ...phoneRoutes,
  ],
  attach: serveReports,
  jobs: [transcribeJob, phoneCallJob],
  start: (platform) => {
    const stops = [startTurns(platform), startWarning(platform)]
    return async () => void (await Promise.all(stops.map((stop) => stop())))
  },
}
