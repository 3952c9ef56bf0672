import { idOf } from '#domain/flow/json.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { t } from '#web/t.ts'
import { OneOf } from './fields.tsx'
import { useNames } from './names.ts'

/** Choice of an SMS connection; channel capabilities load with the first step that needs them. */
export function SmsConnection(props: { label: string; value: unknown; onChange: (id: number | null) => void }) {
  const { connections } = useNames()
  return (
    <OneOf
      label={props.label}
      rows={connections.filter(({ type }) => capabilitiesOf(type).smsParts)}
      value={idOf(props.value)}
      none={t('O primeiro')}
      onChange={props.onChange}
    />
  )
}
