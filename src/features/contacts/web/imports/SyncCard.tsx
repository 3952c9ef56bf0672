import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { contactImports } from '../../imports-addresses.ts'
import css from './imports.module.css'

/** “Sincronizar”: imports the contacts or groups that a channel knows. */
export function SyncCard({ onStarted }: { onStarted: (id: string) => void }) {
  const connections = useChoices('connections').filter(({ type }) => abilitiesOf(type).any)
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const one = connections.find(({ id }) => String(id) === chosen) ?? connections[0]
  const able = abilitiesOf(one?.type)
  const start = async (op: typeof contactImports.syncContacts | typeof contactImports.syncGroups) => {
    setProblem(null)
    try {
      onStarted((await call(op, { body: { whatsappId: one!.id } }, { quiet: true })).id)
    } catch (error) {
      setProblem(sentence(error))
    }
  }
  return (
    <Card title={t('De um canal')}>
      <div className={css.way}>
        <p>{t('Quem o canal conhece e ainda não está aqui é cadastrado; os outros ficam como estão.')}</p>
        {problem && <Notice tone="neg">{problem}</Notice>}
        {one ? (
          <>
            <Select
              label={t('Canal')}
              allowDeselect={false}
              data={connections.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(one.id)}
              onChange={setChosen}
            />
            <div className={css.buttons}>
              <Button
                variant="default"
                disabled={!able.contacts}
                onClick={() => void start(contactImports.syncContacts)}
              >
                {t('Sincronizar contatos')}
              </Button>
              <Button variant="default" disabled={!able.groups} onClick={() => void start(contactImports.syncGroups)}>
                {t('Sincronizar grupos')}
              </Button>
            </div>
          </>
        ) : (
          <p>{t('Nenhum dos seus canais diz quem conhece.')}</p>
        )}
      </div>
    </Card>
  )
}

function abilitiesOf(type: string | undefined) {
  const { addressBook: contacts = false, groups = false } = type ? capabilitiesOf(type) : {}
  return { contacts, groups, any: contacts || groups }
}
