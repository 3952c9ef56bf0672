import type { Feature } from '#server/feature.ts'
import { keysOfMail } from './queries.ts'
import { mailRoutes } from './routes.ts'
import { mailJob } from './send.ts'

export type { MailTemplate } from './render.ts'
export { canMail, type MailToSend, sendMail, sendPlatformMail } from './send.ts'
export { publicLink } from './settings.ts'

/** Mails that leave the product: settings, test, sending. */
export const mailFeature: Feature = { name: 'mail', routes: mailRoutes, jobs: [mailJob], sealedWith: keysOfMail }
