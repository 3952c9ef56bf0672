import { idOf } from '#domain/flow/json.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { t } from '#web/t.ts'
import { OneOf } from './fields.tsx'
import { useNames } from './names.ts'

/** Chooses among the connections that carry text messages; what the channels can comes with the first step that asks. */
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
