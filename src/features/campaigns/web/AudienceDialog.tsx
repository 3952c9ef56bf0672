import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { contacts } from '#features/contacts/addresses.ts'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call, query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Notice, Segments } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

const none = t('Nenhuma opção com esse nome')

/** Includes contacts in a campaign: all of some tags, wallets and stages, or one by one. */
export function AudienceDialog({ row, onClose }: { row: Campaign; onClose: () => void }) {
  const [way, setWay] = useState<'filter' | 'people'>('filter')
  const [tag, setTag] = useState<readonly number[]>([])
  const [wallet, setWallet] = useState<readonly number[]>([])
  const [kanban, setKanban] = useState<readonly number[]>([])
  const [people, setPeople] = useState<readonly number[]>([])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [tags, users, stages] = [useChoices('tags'), useChoices('users'), useChoices('stages')]
  const filter = {
    ...{ isGroup: false, blocked: false },
    ...(tag.length > 0 ? { tag: [...tag] } : {}),
    ...(wallet.length > 0 ? { wallet: [...wallet] } : {}),
    ...(kanban.length > 0 ? { kanban: [...kanban] } : {}),
  }
  const { data } = useQuery({ ...query(contacts.list, { query: filter as never }), enabled: way === 'filter' })
  const include = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const body = way === 'filter' ? { filter } : { contacts: [...people] }
      const { added } = await call(
        campaigns.addContacts,
        { params: { id: row.id }, body: body as never },
        { long: true, quiet: true },
      )
      notify({ tone: 'pos', title: plural(added, t('contato incluído'), t('contatos incluídos')) })
      onClose()
    } catch (error) {
      setProblem(sentence(error))
      setBusy(false)
    }
  }
  const count = way === 'people' ? people.length : (data?.count ?? 0)
  const shown = `${formatNumber(count)}${way === 'filter' && data?.countIsCapped ? '+' : ''}`
  return (
    <Modal opened onClose={onClose} size={480} title={t('Incluir contatos')}>
      <Fields>
        <Segments
          label={t('Quem recebe')}
          value={way}
          options={[
            { value: 'filter', label: t('Por filtro') },
            { value: 'people', label: t('Um a um') },
          ]}
          onChange={setWay}
        />
        {way === 'filter' ? (
          <>
            <ManyChoice label={t('Etiquetas')} none={none} options={tags} chosen={tag} onChange={setTag} />
            <ManyChoice label={t('Carteiras')} none={none} options={users} chosen={wallet} onChange={setWallet} />
            <ManyChoice
              label={t('Etapas do kanban')}
              none={none}
              options={stages}
              chosen={kanban}
              onChange={setKanban}
            />
            <p className={css.hint}>{t('Sem filtro, todos os contatos não bloqueados. Um número entra uma vez só.')}</p>
          </>
        ) : (
          <Suspense>
            <ContactChoice
              chosen={people}
              onChoose={(id) => setPeople(people.includes(id) ? people.filter((one) => one !== id) : [...people, id])}
            />
          </Suspense>
        )}
        {problem && <Notice tone="neg">{problem}</Notice>}
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <BusyButton busy={busy} doing={t('Incluindo')} disabled={count === 0} onClick={() => void include()}>
            {t('Incluir {count}', { count: shown })}
          </BusyButton>
        </div>
      </Fields>
    </Modal>
  )
}
