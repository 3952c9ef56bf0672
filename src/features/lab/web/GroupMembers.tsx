import { Button, Modal, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { AddIcon, PhotoIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'
import css from './group.module.css'

type Change = 'add' | 'remove' | 'promote' | 'demote'

/**
 * Dialog with the members of a group of phones, who are added, removed, promoted and demoted here; the product is notified
 * as by a channel.
 */
export function GroupMembers({
  group,
  phones,
  onClose,
}: {
  group: LabPhone
  phones: readonly LabPhone[]
  onClose: () => void
}) {
  const [name, setName] = useState(group.name)
  const change = (phoneId: number, change: Change, by?: number) => () =>
    void call(lab.changeMember, { params: { id: group.id }, body: { phoneId, change, by } }).catch(notifyError)
  const rename = () =>
    void call(lab.changeGroup, {
      params: { id: group.id },
      body: { name, by: group.members[0]?.phoneId },
    }).catch(notifyError)
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const show = async (picture: File) => {
    const body = new FormData()
    body.append('by', String(group.members[0]?.phoneId ?? ''))
    body.append('file', picture)
    setBusy(true)
    await call(lab.changeGroup, { params: { id: group.id }, body }).then(
      () => void notify({ tone: 'pos', title: t('O grupo mudou de imagem') }),
      notifyError,
    )
    setBusy(false)
  }
  const others = phones.filter(
    ({ id, isGroup, connectionId }) =>
      !isGroup && connectionId === group.connectionId && !group.members.some(({ phoneId }) => phoneId === id),
  )
  const admin = group.members.find(({ isAdmin }) => isAdmin)?.phoneId
  return (
    <Modal opened onClose={onClose} size={420} title={group.name}>
      <form
        className={css.name}
        onSubmit={(event) => {
          event.preventDefault()
          rename()
        }}
      >
        <TextInput
          label={t('Nome do grupo')}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={name.trim() === '' || name.trim() === group.name}>
          {t('Mudar')}
        </Button>
      </form>
      <Button
        className={css.picture ?? ''}
        variant="default"
        leftSection={<PhotoIcon size={17} />}
        loading={busy}
        onClick={() => picker.current?.click()}
      >
        {t('Mudar imagem…')}
      </Button>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const [picture] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (picture) void show(picture)
        }}
      />
      <ul className={css.members}>
        <li>
          <Avatar id={group.connectionId} name={t('Este canal')} size={34} />
          <b className="g-cut">{t('O número da empresa')}</b>
          {group.isOwnAdmin && <Pill tone="brand">{t('administra')}</Pill>}
          <CommandMenu
            label={t('Ações de {name}', { name: t('O número da empresa') })}
            commands={[
              {
                id: 'admin',
                label: group.isOwnAdmin ? t('Deixar de administrar') : t('Passar a administrar'),
                run: () =>
                  void call(lab.changeGroup, {
                    params: { id: group.id },
                    body: { isOwnAdmin: !group.isOwnAdmin, by: admin },
                  }).catch(notifyError),
              },
            ]}
          />
        </li>
        {group.members.map(({ phoneId, name: member, isAdmin }) => (
          <li key={phoneId}>
            <Avatar id={phoneId} name={member} size={34} />
            <b className="g-cut">{member}</b>
            {isAdmin && <Pill tone="brand">{t('administra')}</Pill>}
            <CommandMenu
              label={t('Ações de {name}', { name: member })}
              commands={[
                {
                  id: 'admin',
                  label: isAdmin ? t('Deixar de administrar') : t('Passar a administrar'),
                  run: change(phoneId, isAdmin ? 'demote' : 'promote', admin),
                },
                { id: 'leave', label: t('Sair do grupo'), run: change(phoneId, 'remove') },
                {
                  id: 'remove',
                  label: t('Ser tirado do grupo'),
                  when: () => admin !== undefined && admin !== phoneId,
                  run: change(phoneId, 'remove', admin),
                },
              ]}
            />
          </li>
        ))}
        {others.map(({ id, name: other }) => (
          <li key={id}>
            <Avatar id={id} name={other} size={34} />
            <span className="g-cut">{other}</span>
            <Button variant="default" size="xs" leftSection={<AddIcon size={15} />} onClick={change(id, 'add', admin)}>
              {t('Entrar')}
            </Button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
