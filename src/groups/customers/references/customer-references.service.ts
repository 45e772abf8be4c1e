import { Injectable } from '@nestjs/common';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { documentsChange } from '../../../search/documents.js';
import { changeReference } from '../../references.js';
import { Customer } from '../customer.entity.js';
import { isCustomerId, noSuchCustomer } from '../customer-id.js';
import type { CustomerReference, SetCustomerReferenceInput } from './customer-reference.dto.js';

/** What other systems know a customer by. */
@Injectable()
export class CustomerReferences {
  /** @throws OperationError not_found */
  async get(ctx: StoreContext, id: string): Promise<CustomerReference> {
    const customer = isCustomerId(id) ? await ctx.rows(Customer).findOne({ id }) : null;
    if (!customer) throw noSuchCustomer(id);
    return { id, externalId: customer.externalId, metadata: customer.metadata };
  }

  /**
   * Sets the given fields. The customer stays as it is, with its version (docs/behaviour.md §13.13).
   * @throws OperationError not_found
   */
  async set(ctx: StoreContext, { id, ...given }: SetCustomerReferenceInput): Promise<CustomerReference> {
    const customers = ctx.rows(Customer);
    const customer = isCustomerId(id) ? await customers.findOne({ id }, { lock: true }) : null;
    if (!customer) throw noSuchCustomer(id);
    ctx.audit.target = `customer:${id}`;
    const { reference, isChanged } = changeReference(ctx, customer, given);
    if (isChanged) {
      await customers.update({ id }, given);
      documentsChange(ctx, 'customer', [id]);
    }
    return { id, ...reference };
  }
}
