import { identityProviderErrors } from '#features/identity-provider/errors.ts'
import { mailErrors } from '#features/mail/errors.ts'
import { secondFactorErrors } from '#features/second-factor/errors.ts'
import { signupErrors } from '#features/signup/errors.ts'
import { tenantErrors } from '#features/tenants/errors.ts'
import { userErrors } from '#features/users/errors.ts'
import { authErrors } from '../errors.ts'

/** The errors whose sentences the login page has to know: those of whatever may be asked before one is in. */
export const loginErrors = [
  authErrors,
  identityProviderErrors,
  mailErrors,
  secondFactorErrors,
  signupErrors,
  tenantErrors,
  userErrors,
]
