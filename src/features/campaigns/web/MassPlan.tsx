import { Button, Modal } from '@mantine/core'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Fields } from '#web/ui/inputs/fields.tsx'
import type { CampaignPlan } from '../contract.ts'
import css from './campaigns.module.css'
import { PlanFacts } from './PlanFacts.tsx'

/** Dialog with the forecast of a message to a list, before it is sent. */
export function MassPlan(props: { plan: CampaignPlan; busy: boolean; onSend: () => void; onClose: () => void }) {
  const { plan, busy, onSend, onClose } = props
  return (
    <Modal opened onClose={onClose} size={480} title={t('Disparar agora?')}>
      <Fields>
        <PlanFacts plan={plan} />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <BusyButton
            busy={busy}
            doing={t('Disparando')}
            disabled={plan.reached === 0 || plan.level === 'stop'}
            onClick={onSend}
          >
            {t('Disparar a {count}', { count: plural(plan.reached, t('contato'), t('contatos')) })}
          </BusyButton>
        </div>
      </Fields>
    </Modal>
  )
}
