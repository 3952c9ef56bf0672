import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { Card } from '#web/ui/layout/page.tsx'
import type { AssistantAccount } from '../contract.ts'
import css from './assistants.module.css'
import { PhoneForm } from './PhoneForm.tsx'

/** Section that starts a voice assistant's call, and shows the URL for the provider's reports. */
export function PhoneCalls({ accounts }: { accounts: readonly AssistantAccount[] }) {
  const { tenantId } = viewer()
  return (
    <Card title={t('Ligar para um cliente')}>
      <PhoneForm />
      <p className={`${css.state} ${css.used}`}>
        {t('Na Vapi, em Server URL, informe o endereço da conta, com o segredo dela:')}
        {accounts.map(({ id, name }) => (
          <span key={id} className={css.answer}>
            {name}: {`${location.origin}/api/assistants/calls/${tenantId}/${id}`}
          </span>
        ))}
      </p>
    </Card>
  )
}
