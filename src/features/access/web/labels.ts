import type { Refusal } from '#domain/access/permissions.ts'
import { t } from '#web/t.ts'

/** Display texts of the reasons for denials. */
export const refusals: Readonly<Record<Refusal, string>> = {
  profile: t('O perfil não inclui'),
  overdue: t('A empresa tem um pagamento vencido'),
  plan: t('O plano da empresa não inclui'),
  supervisorsLimited: t('A empresa limita os supervisores'),
  restricted: t('É um usuário restrito'),
  hiddenByTenant: t('Escondido na empresa'),
  masterKey: t('Só a própria pessoa, fora do acesso de suporte'),
  hiddenForPerson: t('Escondido para esta pessoa'),
}
