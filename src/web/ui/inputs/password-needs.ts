import { PASSWORD_RULES } from '#domain/access/password.ts'
import { t } from '../../t.ts'

/** Requirements of a new password, as a hint below its field. */
export const passwordNeeds = t('Precisa de {value}.', { value: PASSWORD_RULES.map(({ text }) => text).join(', ') })
