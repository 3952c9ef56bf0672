import { channelSuite } from '#test/channels/suite.ts'
import { openDirect } from '#test/meta-person.ts'
import { instagramConfig } from '../config.ts'

channelSuite(instagramConfig, import.meta.dirname, openDirect('instagram'))
