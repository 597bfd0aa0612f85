import { connect } from './bridge'

connect()
void import('./main')
