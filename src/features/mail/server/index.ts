import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { keysOfMail } from './queries.ts'
import { mailRoutes } from './routes.ts'
import { mailJob } from './send.ts'

export { companyAddress, deliverByCompany } from './company.ts'
export { canMail, sendMail, sendPlatformMail } from './send.ts'
export { publicLink } from './settings.ts'

/** Server part of the feature `mail`: outgoing mail: servers, test, sending. */
export const mailFeature: Feature = {
  name: 'mail',
  titles: { companyMail: 'E-mail da empresa', installationMail: 'E-mail da instalação' },
  errors,
  routes: mailRoutes,
  jobs: [mailJob],
  encryptedWith: keysOfMail,
}
