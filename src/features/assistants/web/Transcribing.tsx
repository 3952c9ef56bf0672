import { useQuery } from '@tanstack/react-query'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { assistants, connectionAssistants } from '../addresses.ts'

/** Choice of connections whose customers' recordings are transcribed automatically. */
export function Transcribing() {
  const { data, refetch } = useQuery(query(assistants.connections))
  if (!data || data.connections.length === 0) return null
  return (
    <Card title={t('Onde os áudios dos clientes são transcritos')}>
      <SwitchGroup>
        {data.connections.map(({ whatsappId, name, transcribeAudio }) => (
          <SwitchRow
            key={whatsappId}
            name={name}
            checked={transcribeAudio}
            onChange={(next) =>
              void saveChoice({
                ...{ label: name, before: transcribeAudio, next, labelOf: onOff },
                save: async (value: boolean) => {
                  const input = { params: { id: whatsappId }, body: { transcribeAudio: value } }
                  await call(connectionAssistants.set, input, { quiet: true })
                  await refetch()
                },
              })
            }
          />
        ))}
      </SwitchGroup>
    </Card>
  )
}
