import { Button, FileButton, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { UploadIcon } from '#web/ui/icons.ts'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { Fields, Notice, Segments } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { groupTools } from '../addresses.ts'
import { LONGEST_DESCRIPTION, LONGEST_TITLE } from '../forms.ts'
import { TargetChoice, useTarget } from './choices.tsx'
import { GroupJobs } from './GroupJobs.tsx'
import css from './groups.module.css'
import { type Problems, startJob } from './start.ts'

type What = 'title' | 'description' | 'picture' | 'adminsOnly'

/** Page that changes title, description, picture and write permission of many groups at once. */
export function ChangeGroups() {
  const target = useTarget()
  const { whatsappId, groupIds } = target
  const [what, setWhat] = useState<What>('title')
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [who, setWho] = useState<'admins' | 'all'>('admins')
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const choose = (next: What) => {
    setWhat(next)
    setText('')
    setFile(null)
    setProblems({})
  }
  const begin = (): Promise<Problems | null> => {
    const to = { whatsappId, groupIds: [...groupIds] }
    if (what === 'title') return startJob(groupTools.titles, { ...to, title: text })
    if (what === 'description') return startJob(groupTools.descriptions, { ...to, description: text })
    if (what === 'adminsOnly') return startJob(groupTools.adminsOnly, { ...to, adminsOnly: who === 'admins' })
    if (!file) return startJob(groupTools.picturesUrl, { ...to, picture: text })
    const form = new FormData()
    form.append('whatsappId', String(whatsappId))
    form.append('groupIds', JSON.stringify(groupIds))
    form.append('file', file)
    return startJob(groupTools.picturesFile, form)
  }
  const send = async () => {
    setBusy(true)
    const wrong = await begin()
    setProblems(wrong ?? {})
    if (!wrong) setText('')
    setBusy(false)
  }
  const isFilled = what === 'adminsOnly' || what === 'description' || file !== null || text.trim() !== ''
  return (
    <Page>
      <PageHeader
        title={t('Manipular grupos')}
        facts={t('As mudanças seguem no servidor, uma de cada vez, no ritmo que o número aguenta.')}
      />
      <div className={css.column}>
        <Card title={t('Nova mudança')}>
          <div className={css.form}>
            <Fields>
              <TargetChoice target={target} problems={problems} />
              <Segments
                label={t('O que muda')}
                value={what}
                options={[
                  { value: 'title', label: t('Título') },
                  { value: 'description', label: t('Descrição') },
                  { value: 'picture', label: t('Imagem') },
                  { value: 'adminsOnly', label: t('Quem escreve') },
                ]}
                onChange={choose}
              />
              {what === 'title' && (
                <TextInput
                  label={t('Título')}
                  maxLength={LONGEST_TITLE}
                  value={text}
                  error={problems['title']}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              )}
              {what === 'description' && (
                <Textarea
                  label={t('Descrição')}
                  description={t('Vazia, o grupo fica sem descrição.')}
                  rows={4}
                  maxLength={LONGEST_DESCRIPTION}
                  value={text}
                  error={problems['description']}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              )}
              {what === 'picture' && (
                <>
                  <TextInput
                    label={t('Endereço da imagem')}
                    disabled={file !== null}
                    value={text}
                    error={problems['picture']}
                    onChange={(event) => setText(event.currentTarget.value)}
                  />
                  <div className={css.row}>
                    <FileButton inputProps={emptiedOnClick} onChange={setFile} accept="image/jpeg,image/png,image/webp">
                      {(button) => (
                        <Button {...button} variant="default" leftSection={<UploadIcon size={17} />}>
                          {file ? t('Trocar arquivo') : t('Ou um arquivo')}
                        </Button>
                      )}
                    </FileButton>
                    {file && (
                      <>
                        <span className="g-cut">{file.name}</span>
                        <Button variant="default" onClick={() => setFile(null)}>
                          {t('Tirar')}
                        </Button>
                      </>
                    )}
                  </div>
                </>
              )}
              {what === 'adminsOnly' && (
                <Segments
                  label={t('Quem pode enviar mensagens')}
                  value={who}
                  options={[
                    { value: 'admins', label: t('Só administradores') },
                    { value: 'all', label: t('Todos') },
                  ]}
                  onChange={setWho}
                />
              )}
              {problems[''] && <Notice tone="neg">{problems['']}</Notice>}
              <div className={css.footer}>
                <BusyButton
                  busy={busy}
                  doing={t('Começando')}
                  disabled={whatsappId === null || groupIds.length === 0 || !isFilled}
                  onClick={() => void send()}
                >
                  {t('Mudar')}
                </BusyButton>
              </div>
            </Fields>
          </div>
        </Card>
        <GroupJobs kinds={['title', 'description', 'picture', 'admins_only']} />
      </div>
    </Page>
  )
}
