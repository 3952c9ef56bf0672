import { Select } from '@mantine/core'
import type { Purpose } from '#domain/consents/consents.ts'
import { t } from '#web/t.ts'

/** Choice of the purpose of messages; contacts who opted out get no marketing. */
export const PurposeSelect = ({ value, onChange }: { value: Purpose; onChange: (next: Purpose) => void }) => (
  <Select
    label={t('Finalidade')}
    description={t('Quem pediu para sair não recebe marketing.')}
    allowDeselect={false}
    data={[
      { value: 'marketing', label: t('Marketing') },
      { value: 'utility', label: t('Serviço') },
    ]}
    value={value}
    onChange={(next) => onChange(next === 'utility' ? 'utility' : 'marketing')}
  />
)
