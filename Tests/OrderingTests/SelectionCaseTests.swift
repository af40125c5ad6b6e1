// The JSON verdicts of selection cases, compared with texts derived from the API documentation.
import FoundationEssentials
import Testing

@Suite("JSON verdicts on selections")
struct SelectionCaseTests {
    private static let item = """
        {"price": 999, "salePercent": 10, "optionGroups": [
            {"id": 92, "title": "Sauce", "minimum": 1, "maximum": 1, "included": 0, "position": 2, "options": [
                {"id": 9201, "title": "Hot", "price": 0, "isDefault": true},
                {"id": 9202, "title": "Mild", "price": -10, "isAvailable": false}]},
            {"id": 91, "title": "Extras", "minimum": 0, "maximum": null, "included": 1, "isRetired": false,
             "position": 1, "options": [
                {"id": 9101, "title": "Cheese", "price": 100, "maximum": 2, "isDefault": false, "isAvailable": true,
                 "isRetired": false, "position": 1,
                 "optionGroups": [{"id": 93, "minimum": 0, "options": [{"id": 9301, "price": 7, "maximum": 5}]}]},
                {"id": 9102, "title": "Gone", "price": 100, "isRetired": true}]}]}
        """

    private func verdict(_ options: String, item: String = Self.item) throws -> String {
        String(decoding: try selectionVerdict(Data(#"{"item": \#(item), "options": \#(options)}"#.utf8)), as: UTF8.self)
    }

    @Test("An accepted selection has its prices and options, and a rejected one has all its errors in order")
    func verdicts() throws {
        let sauce = #"{"groupId":92,"optionId":9201,"options":[],"price":0,"quantity":1,"title":"Hot","total":0}"#
        #expect(
            try verdict("null")
                == #"{"accepted":true,"isAvailable":true,"options":[\#(sauce)],"regularUnitPrice":999,"#
                + #""unitPrice":899,"violations":[]}"#)
        let truffle = #"{"groupId":93,"optionId":9301,"options":[],"price":7,"quantity":3,"title":"","total":42}"#
        let cheese =
            #"{"groupId":91,"optionId":9101,"options":[\#(truffle)],"price":100,"quantity":2,"title":"Cheese","#
            + #""total":142}"#
        #expect(
            try verdict(
                #"[{"optionId": 9201}, {"optionId": 9101, "quantity": 2, "#
                    + #""options": [{"optionId": 9301, "quantity": 3}]}]"#)
                == #"{"accepted":true,"isAvailable":true,"options":[\#(cheese),\#(sauce)],"regularUnitPrice":1141,"#
                + #""unitPrice":1041,"violations":[]}"#)
        let violations = [
            #"{"code":"option_unknown","params":{"optionId":9102},"path":"options"}"#,
            #"{"code":"option_quantity_out_of_range","params":{"chosen":3,"maximum":2,"optionId":9101},"#
                + #""path":"options/91"}"#,
            #"{"code":"option_unknown","params":{"optionId":1},"path":"options/91/9101/options"}"#,
            #"{"code":"option_sold_out","params":{"optionId":9202},"path":"options/92"}"#,
        ]
        #expect(
            try verdict(
                #"[{"optionId":9202},{"optionId":9102},{"optionId":9101,"quantity":3,"options":[{"optionId":1}]}]"#)
                == #"{"accepted":false,"isAvailable":true,"violations":[\#(violations.joined(separator: ","))]}"#)
    }

    @Test("An item whose group cannot be satisfied is unavailable, and a case with impossible numbers throws")
    func invalidCases() throws {
        let missing = #"{"price": 5, "optionGroups": [{"id": 1, "minimum": 2, "options": [{"id": 11}]}]}"#
        #expect(
            try verdict("[]", item: missing)
                == #"{"accepted":false,"isAvailable":false,"violations":[{"code":"option_group_minimum","#
                + #""params":{"chosen":0,"minimum":2},"path":"options/1"}]}"#)
        for item in [
            #"{"price": -1}"#, #"{"price": 1, "optionGroups": [{"id": 1, "options": [{"id": 2, "maximum": 100}]}]}"#,
        ] {
            #expect(throws: (any Error).self) { try verdict("null", item: item) }
        }
    }
}
