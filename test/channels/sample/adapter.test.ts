import { channelSuite } from '../suite.ts'
import { sampleConfig } from './config.ts'
import { openGateway } from './contact.ts'

channelSuite(sampleConfig, import.meta.dirname, openGateway)
