// Reads an order's access token from a request. The token decides what the routes of orders and ordered baskets show.
import HTTPServing
import Ordering
import Shop

extension AccessTokens {
    /// Whether the request carries the access token of this order. Throws 401 for any other token: its sender would
    /// otherwise see less than expected.
    func isPresent(in request: Request, for order: OrderID) throws(Problem) -> Bool {
        guard request.headers.contains(.authorization) else { return false }
        guard let token = request.bearerToken, isValid(token, for: order) else { throw .invalidToken }
        return true
    }

    /// Throws 401 unless the request carries the access token of this order.
    func require(in request: Request, for order: OrderID) throws(Problem) {
        guard try isPresent(in: request, for: order) else { throw .tokenRequired }
    }
}
