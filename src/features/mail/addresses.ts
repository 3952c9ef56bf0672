import { addresses } from '#kit/addresses.ts'
import type { Permission } from '#kit/permissions.ts'

const mail = <F extends string, P extends string, C extends Permission>(family: F, path: P, can: C) =>
  addresses(family, {
    read: { method: 'GET', path, can },
    save: { method: 'PUT', path, can, touches: [family] },
    test: { method: 'POST', path, can },
  })

/** API routes of `companyMail`. */
export const companyMail = mail('companyMail', '/email', 'settings:write')

/** API routes of `installationMail`. */
export const installationMail = mail('installationMail', '/emailTenant', 'platform:write')
